extension HTMLPage {
  /// The style sheet, but for the charts. The colours are those of ``Palette``.
  static let style =
    """
    :root{color-scheme:light dark;\(variables(\.light))}
    @media screen and (prefers-color-scheme:dark){:root{\(variables(\.dark))}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);
    font:16px/1.5 system-ui,-apple-system,"Segoe UI","Noto Sans",sans-serif;overflow-wrap:anywhere}
    :lang(ko){word-break:keep-all}
    main{max-width:848px;margin:0 auto;padding:24px 16px 48px}
    h1{font-size:30px;line-height:1.2;margin:0}
    h2{font-size:21px;line-height:1.3;margin:44px 0 8px;padding-top:20px;border-top:1px solid var(--rule)}
    p{margin:8px 0}header p{margin:4px 0 0}ul{margin:8px 0;padding-left:22px}
    code{font:14px/1.4 ui-monospace,"DejaVu Sans Mono",monospace;background:var(--rule);padding:1px 5px;border-radius:4px}
    .faint,footer{color:var(--faint)}p.faint,footer,dd.faint{font-size:14px}
    p.lead{font-size:20px;line-height:1.4;margin:10px 0}
    .pictures{display:flex;flex-wrap:wrap;gap:10px;margin:24px 0}.pictures img{height:170px;width:auto;max-width:100%;
    object-fit:contain;border-radius:3px}
    .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(165px,1fr));gap:12px;margin:20px 0}
    .facts div{border:1px solid var(--rule);border-radius:8px;padding:10px 14px}
    dt{font-size:14px;color:var(--faint)}dd{margin:0}.fact{font-size:21px;font-weight:600;line-height:1.3}
    .entries{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:14px 0}.entries dt{padding-top:1px}
    figure{margin:20px 0 28px}figcaption{font-weight:600;margin-bottom:4px}
    svg{display:block;max-width:100%;height:auto;margin:0 -16px}svg.wide{max-width:calc(100% + 32px)}
    .table{overflow-x:auto;margin:16px 0}
    table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
    caption{text-align:left;font-size:16px;font-weight:600;margin-bottom:4px}
    th,td{text-align:left;font-weight:400;vertical-align:top;padding:5px 12px 5px 0;border-bottom:1px solid var(--rule);
    overflow-wrap:break-word}td.long,th.long{overflow-wrap:anywhere}
    thead th{font-weight:600;vertical-align:bottom;border-bottom:2px solid var(--faint)}
    th:last-child,td:last-child{padding-right:0}
    .right{text-align:right}td.right{white-space:nowrap}.strong{font-weight:600}.up{color:var(--up)}.down{color:var(--down)}
    th button{font:inherit;color:inherit;text-align:inherit;background:none;border:0;margin:0;padding:0;cursor:pointer}
    th button:hover{text-decoration:underline}th button:focus-visible{outline:2px solid var(--bar);outline-offset:3px}
    th button::after{content:"\\2060↕";opacity:.4;padding-left:3px}
    th[aria-sort=ascending] button::after{content:"\\2060↑";opacity:1}
    th[aria-sort=descending] button::after{content:"\\2060↓";opacity:1}
    footer{margin-top:44px;padding-top:12px;border-top:1px solid var(--rule)}
    .narrow{display:none}
    @media screen and (max-width:639px){
    .wide,.spare{display:none}.narrow{display:block}h1{font-size:26px}.facts{grid-template-columns:1fr 1fr}
    .facts div{padding:8px 10px}.fact{font-size:18px}
    p.lead{font-size:18px}.pictures img{height:112px}
    .entries{grid-template-columns:1fr}.entries dd{margin-bottom:4px}
    }
    @media print{
    @page{margin:14mm}
    body{font-size:11pt}p.lead{font-size:13pt}.pictures{break-inside:avoid}.pictures img{height:32mm}main{max-width:none;padding:0}h2,caption{break-after:avoid}figure,tr,.facts div{break-inside:avoid}
    svg.wide{max-width:150mm;margin:0 -3.3mm}.table{overflow:visible}table{font-size:8.5pt}th,td{padding:3px 8px 3px 0}thead{display:table-header-group}
    th button{display:none}th[data-title]::before{content:attr(data-title)}
    }

    """

  private static func variables(_ color: KeyPath<Palette.Paint, String>) -> String {
    ([Palette.paper, Palette.ink, Palette.faint, Palette.rule, Palette.bar] + Palette.trends)
      .map { "--\($0.name):\($0[keyPath: color])" }.joined(separator: ";")
  }

  /// Makes headings into buttons that sort a table, also by keyboard. The sort is stable, and empty cells are last.
  ///
  /// The script contains neither `<` nor `&`, so that the page is well-formed XML.
  public static let script: StaticString = """
    "use strict";
    for (const table of document.querySelectorAll("table")) {
      const headings = Array.from(table.tHead.rows[0].cells);
      const body = table.tBodies[0];
      const number = cell => cell.hasAttribute("data-value") ? Number(cell.getAttribute("data-value")) : null;
      const order = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
      headings.forEach((heading, place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = heading.textContent;
        // Buttons are missing where a heading is printed again on a next page.
        heading.dataset.title = heading.textContent;
        heading.replaceChildren(button);
        button.addEventListener("click", () => {
          const rows = Array.from(body.rows);
          const isNumeric = rows.some(row => number(row.cells[place]) !== null);
          const last = heading.getAttribute("aria-sort");
          const way = last === "descending" ? 1 : last === "ascending" ? -1 : isNumeric ? -1 : 1;
          const compare = (a, b) => {
            const [one, two] = [a.cells[place], b.cells[place]];
            const [oneIsEmpty, twoIsEmpty] = [one, two].map(cell => cell.textContent.trim() === "");
            if (oneIsEmpty || twoIsEmpty) return Number(oneIsEmpty) - Number(twoIsEmpty);
            const [x, y] = [number(one), number(two)];
            return way * (isNumeric ? x - y : order.compare(one.textContent, two.textContent));
          };
          rows.sort(compare);
          body.append(...rows);
          for (const other of headings) other.removeAttribute("aria-sort");
          heading.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
        });
      });
    }

    """
}
