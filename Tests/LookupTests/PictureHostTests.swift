import Testing

@testable import Lookup

/// Tests the hosts of the sources' pictures, and of videos.
struct PictureHostTests {
  private func sources(at url: String) -> [String] {
    Source.all.filter { $0.hasPictures(at: url, $0.settings()) }.map(\.id)
  }

  @Test(arguments: [
    ("https://image.tmdb.org/t/p/w1280/1.jpg", "tmdb"), ("HTTPS://IMAGE.TMDB.ORG/t/p/w1280/1.jpg", "tmdb"),
    ("https://is4-ssl.mzstatic.com/image/thumb/x/392x696bb.png", "itunes"),
    ("https://covers.openlibrary.org/b/id/1-L.jpg", "openlibrary"),
    ("https://coverartarchive.org/release/1/front-500", "musicbrainz"), ("https://i.discogs.com/x.jpeg", "discogs"),
    ("https://t1.daumcdn.net/lbook/image/1", "kakao"), ("https://books.google.com/books/content?id=1", "googlebooks"),
  ])
  func `a picture address belongs to its source`(_ url: String, _ source: String) {
    #expect(sources(at: url) == [source])
    #expect(!VideoSite.hasVideo(at: url))
  }

  @Test(arguments: [
    "http://image.tmdb.org/t/p/w1280/1.jpg", "https://image.tmdb.org.evil.example/1.jpg",
    "https://evil.example/image.tmdb.org", "https://image.tmdb.org@evil.example/1.jpg",
    "https://evil.example\\@image.tmdb.org/1.jpg", "https://notmzstatic.com/1.png",
    "https://mzstatic.com.example/1.png",
    "https://image.tmdb.org:8443/1.jpg", "https://127.0.0.1/1.jpg", "http://127.0.0.1/1.jpg", "https://", "",
    "file:///etc/passwd", "https://www.youtube.com.example/watch?v=1", "http://www.youtube.com/watch?v=1",
  ])
  func `other addresses belong to no source and are no videos`(_ url: String) {
    #expect(sources(at: url).isEmpty)
    #expect(!VideoSite.hasVideo(at: url))
  }

  @Test func `a configured image address belongs to its source`() {
    var settings = Source.tmdb.settings()
    settings.imageBaseURL = "http://127.0.0.1:8080/covers"
    #expect(Source.tmdb.hasPictures(at: "http://127.0.0.1:8080/covers/w500/1.jpg", settings))
    #expect(!Source.tmdb.hasPictures(at: "http://127.0.0.1:8081/covers/w500/1.jpg", settings))
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=SEUXfv87Wpk", "https://youtu.be/SEUXfv87Wpk", "https://vimeo.com/123",
  ])
  func `a video address belongs to a video site`(_ url: String) {
    #expect(VideoSite.hasVideo(at: url))
    #expect(sources(at: url).isEmpty)
  }
}
