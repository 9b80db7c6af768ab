/// The Korean names of fields and values, as queries and changes take them beside the English ones, in every locale:
/// `종류:책`, `연도:1990년대`, `상태:읽는중`.
public enum KoreanWords {
  /// The words for fields, by those that people type.
  public static let fields = [
    "종류": "kind", "제목": "title", "원제": "original_title", "만든이": "creator", "감독": "creator", "저자": "creator",
    "작가": "creator", "지은이": "creator", "음악가": "creator", "가수": "creator", "아티스트": "creator", "연도": "year",
    "년도": "year", "장르": "genre", "바코드": "barcode", "상영시간": "minutes", "출판사": "publisher", "출간일": "published",
    "쪽수": "pages", "레이블": "label", "국가": "country", "나라": "country", "언어": "language", "시리즈": "series",
    "출연": "cast", "배우": "cast", "옮긴이": "translator", "번역": "translator", "역자": "translator", "곡": "track",
    "정가": "list_price", "소장본": "copies", "등급": "grade", "재킷": "sleeve", "위치": "place", "구입가": "price",
    "구입일": "acquired", "구입처": "from", "평점": "rating", "별점": "rating", "즐겨찾기": "favorite", "태그": "tag",
    "위시리스트": "wished", "상태": "status", "카드": "cards", "한줄평": "comment", "감상": "comment", "본날": "seen",
    "읽은날": "seen", "횟수": "times", "목록": "pile", "빌려간사람": "borrower", "추가일": "added", "표지": "cover",
    "설명": "description", "메모": "note",
  ]

  /// The words for values that are one of a few, by those that people type, without blanks.
  private static let values = [
    "영화": "movie", "책": "book", "도서": "book", "바이닐": "vinyl", "엘피": "vinyl", "음반": "vinyl", "음악": "music",
    "팟캐스트": "podcast", "앱": "app",
    "예정": "planned", "볼예정": "planned", "읽을예정": "planned", "보고싶어요": "planned", "읽고싶어요": "planned",
    "보는중": "ongoing", "읽는중": "ongoing", "듣는중": "ongoing", "진행중": "ongoing",
    "완료": "done", "봤어요": "done", "읽었어요": "done", "다봄": "done", "다읽음": "done", "완독": "done",
    "중단": "dropped", "하차": "dropped",
    "없음": "none", "있음": "any", "예": "yes", "네": "yes", "아니요": "no", "아니오": "no",
  ]

  /// The English word for a value; the text itself where it is no Korean one.
  public static func value(_ text: String) -> String { values[text.filter { $0 != " " }] ?? text }
}
