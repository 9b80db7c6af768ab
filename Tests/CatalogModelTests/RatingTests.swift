import CatalogModel
import Testing

struct RatingTests {
  @Test(arguments: [
    ("4", 80, Rating.Scale.half, "4", "★★★★"), ("4.5", 90, .half, "4.5", "★★★★½"),
    ("4.25", 85, .quarter, "4.25", "★★★★¼"), ("4½", 90, .half, "4.5", "★★★★½"),
    ("½", 10, .half, "0.5", "½"), ("¾", 15, .quarter, "0.75", "¾"), ("★★★★½", 90, .half, "4.5", "★★★★½"),
    ("★★★☆☆", 60, .half, "3", "★★★"), ("☆☆☆☆☆", 0, .half, "0", "☆"), ("0", 0, .half, "0", "☆"),
    ("5", 100, .half, "5", "★★★★★"), ("4,5", 90, .half, "4.5", "★★★★½"), ("8,5/10", 85, .ten, "8.5/10", "8.5/10"),
    ("4 stars", 80, .half, "4", "★★★★"), ("1 star", 20, .half, "1", "★"), ("⭐⭐⭐⭐", 80, .half, "4", "★★★★"),
    ("5.0", 100, .half, "5", "★★★★★"), ("4.50", 90, .half, "4.5", "★★★★½"), ("4.5/5", 90, .half, "4.5", "★★★★½"),
    ("9/10", 90, .ten, "9/10", "9/10"), ("8.5/10", 85, .ten, "8.5/10", "8.5/10"), ("0/10", 0, .ten, "0/10", "0/10"),
    ("10/10", 100, .ten, "10/10", "10/10"), ("87%", 87, .percent, "87%", "87%"), ("87/100", 87, .percent, "87%", "87%"),
    ("100 %", 100, .percent, "100%", "100%"),
    ("4점", 80, .half, "4", "★★★★"), ("4점/5점", 80, .half, "4", "★★★★"), ("9점/10점", 90, .ten, "9/10", "9/10"),
    ("4 Sterne", 80, .half, "4", "★★★★"), ("3 étoiles", 60, .half, "3", "★★★"), ("4つ星", 80, .half, "4", "★★★★"),
    ("8 von 10", 80, .ten, "8/10", "8/10"), ("4 out of 5 stars", 80, .half, "4", "★★★★"),
    ("推荐", 80, .half, "4", "★★★★"),
    ("4 étoiles sur 5", 80, .half, "4", "★★★★"), ("⭐️⭐️⭐️", 60, .half, "3", "★★★"),
  ])
  func `a rating prints as it was typed`(
    _ text: String, _ value: Int, _ scale: Rating.Scale, _ printed: String, _ stars: String
  ) throws {
    let rating = try Rating(text)
    #expect(rating.value == value)
    #expect(rating.scale == scale)
    #expect(rating.description == printed)
    #expect(rating.stars == stars)
    // A printed rating reads as the same rating.
    #expect(try Rating(printed) == rating)
  }

  @Test(arguments: [
    ("6", "stars go from 0 to 5"), ("-1", "stars go from 0 to 5"), ("5.5", "stars go from 0 to 5"),
    ("2.3", "not a valid rating"), ("4.125", "not a valid rating"), ("11/10", "from 0 to 10"), ("-1%", "from 0 to 100"),
    ("101%", "from 0 to 100"), ("8.55/10", "give at most one"), ("87.5%", "a whole number"),
    ("3/4", "out of 5, 10 or 100"),
    ("", "not a rating"), ("good", "not a rating"), ("none", "to remove one"), ("7", "7 of 10 is '7/10'"),
    ("4,5,1", "not a rating"), ("★★★★★★", "not a rating"), ("★★½★", "not a rating"),
    ("1e2", "not a rating"), ("٤", "not a rating"), ("4..5", "not a rating"), (".5", "not a rating"),
    ("4.", "not a rating"),
    ("nan", "not a rating"), ("999999999999999999999", "not a rating"), ("4/", "out of 5"), ("/5", "not a rating"),
    ("%", "not a rating"),
  ])
  func `an invalid rating is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: Rating.Problem.self) { try Rating(text) }
    #expect(problem?.description.contains(words) ?? false, "\(problem?.description ?? "")")
  }

  @Test func `a rating has only the steps of its scale`() {
    #expect((0...100).count { Rating(value: $0, scale: .half) != nil } == 11)
    #expect((0...100).count { Rating(value: $0, scale: .quarter) != nil } == 21)
    #expect((0...100).count { Rating(value: $0, scale: .ten) != nil } == 101)
    for scale in Rating.Scale.allCases {
      #expect(Rating(value: -1, scale: scale) == nil)
      #expect(Rating(value: 101, scale: scale) == nil)
      for rating in (0...100).compactMap({ Rating(value: $0, scale: scale) }) {
        #expect((try? Rating(rating.description))?.value == rating.value)
      }
    }
  }
}
