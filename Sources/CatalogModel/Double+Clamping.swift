extension FixedWidthInteger {
  /// The nearest number that fits, without the fraction; 0 for what is no number. What a file or an answer holds may be
  /// of any size.
  @inlinable
  public init(clamping value: Double) {
    guard let exact = Self(exactly: value.rounded(.towardZero)) else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
      return
    }
    self = exact
  }
}
