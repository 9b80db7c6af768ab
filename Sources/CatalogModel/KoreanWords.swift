/// The Korean names of fields, as queries and changes take them beside the English ones, in every locale: `종류:책`,
/// `제목=흰`.
public enum KoreanWords {
  /// The words for fields, by those that people type.
  public static let fields = [
    "종류": "kind", "제목": "title", "원제": "original_title", "만든이": "creator", "감독": "creator", "저자": "creator",
    "작가": "creator", "지은이": "creator", "음악가": "creator", "가수": "creator", "아티스트": "creator", "연도": "year",
    "년도": "year", "장르": "genre", "바코드": "barcode", "상영시간": "minutes", "출판사": "publisher", "출간일": "published",
    "쪽수": "pages", "레이블": "label", "국가": "country", "나라": "country", "언어": "language", "시리즈": "series",
    "출연": "cast", "배우": "cast", "옮긴이": "translator", "번역": "translator", "역자": "translator", "곡": "track",
    "번역가": "translator", "역": "translator", "페이지": "pages", "면수": "pages", "출판년도": "published",
    "출판연도": "published", "출간년도": "published", "출간연도": "published", "발행일": "published", "발행년도": "published",
    "발행연도": "published", "출판일": "published", "개봉일": "released", "발매일": "released", "개봉연도": "year",
    "발매연도": "year", "제작연도": "year", "제작국가": "country", "음반사": "label", "러닝타임": "minutes",
    "카탈로그번호": "catalog_number", "총서": "series", "출연진": "cast", "빌린사람": "borrower", "대여": "borrower",
    "빌려준날": "lent", "반납일": "due", "반납예정일": "due", "소장": "copies", "매수": "discs", "장수": "discs", "회전수": "speed",
    "번호": "id", "책장": "pile", "내평점": "rating", "리뷰": "comment", "시청일": "seen", "관람일": "seen", "들은날": "seen",
    "완독일": "seen", "주소": "url", "줄거리": "description", "판매가": "sale_price", "통화": "currency", "형태": "format",
    "매체": "format", "다른제목": "other_titles", "카드수": "cards",
    "정가": "list_price", "소장본": "copies", "등급": "grade", "재킷": "sleeve", "위치": "place", "구입가": "price",
    "구입일": "acquired", "구입처": "from", "평점": "rating", "별점": "rating", "즐겨찾기": "favorite", "태그": "tag",
    "위시리스트": "wished", "상태": "status", "카드": "cards", "한줄평": "comment", "감상": "comment", "본날": "seen",
    "읽은날": "seen", "횟수": "times", "목록": "pile", "빌려간사람": "borrower", "추가일": "added", "표지": "cover",
    "설명": "description", "메모": "note",
  ]
}
