import Git
import Testing

/// Tests which parts of an address may be shown.
struct RemoteAddressTests {
  @Test(arguments: [
    "https://ann:secret@example.org/c.git", "http://:secret@example.org", "HTTPS://ann:@example.org/c.git",
    "ssh://git:secret@example.org/c.git", "https://ann:se/cret@example.org/c.git", "https://ann:a@b@example.org/",
    "https://ghp_secret@github.com/ann/c.git", "https://glpat-secret@gitlab.com/ann/c.git",
  ])
  func `a password or token in an address is detected and redacted`(_ address: String) {
    #expect(RemoteAddress.hasPassword(address))
    let shown = RemoteAddress.redacted("fatal: unable to access '\(address)': no")
    #expect(!shown.contains("secret"))
    #expect(!shown.contains("cret"))
    #expect(!shown.contains("ann:"))
    #expect(shown.hasPrefix("fatal: unable to access '"))
    #expect(shown.hasSuffix("': no"))
  }

  @Test(arguments: [
    ("git@example.org:me/c.git", "git@example.org:me/c.git"),
    ("ssh://git@example.org:22/c", "ssh://git@example.org:22/c"),
    ("https://example.org:8443/c@2.git", "https://example.org:8443/c@2.git"), ("/media/usb/a@b:c", "/media/usb/a@b:c"),
    ("https://ann@example.org/c.git", "https://example.org/c.git"), ("file:///a/b", "file:///a/b"), ("", ""),
    ("a://b://c", "a://b://c"), ("://", "://"), ("c:\\x", "c:\\x"), ("기://아:", "기://아:"),
  ])
  func `an address without a password is shown unchanged except for its user`(_ address: String, _ shown: String) {
    #expect(!RemoteAddress.hasPassword(address))
    #expect(RemoteAddress.redacted(address) == shown)
  }

  @Test func `several addresses in one text are redacted`() {
    let text = "from https://a:b@one.org/x\nto ssh://git:pw@two.org/y."
    #expect(RemoteAddress.redacted(text) == "from https://one.org/x\nto ssh://git@two.org/y.")
  }
}
