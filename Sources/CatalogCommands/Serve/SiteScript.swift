/// The script of the site. Nothing needs it: it shows a search while one types it, and adds keys.
enum SiteScript {
  static let text: StaticString = #"""
    "use strict";
    const search = document.querySelector("input[name=q]");
    const links = () => Array.from(document.querySelectorAll("main a[href^='/item/']:not([tabindex='-1'])"));

    // The list follows the words; the answer to older words is dropped.
    let asked = 0, timer = 0;
    if (search && document.querySelector(".chips")) search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(async () => {
        const number = ++asked;
        const address = "/?q=" + encodeURIComponent(search.value);
        const answer = await fetch(address, { headers: { "Sec-Purpose": "prefetch" } }).catch(() => null);
        if (!answer || !answer.ok || number !== asked) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const main = page.querySelector("main");
        if (!main) return;
        document.querySelector("main").replaceWith(main);
        document.title = page.title;
        history.replaceState(null, "", address);
      }, 200);
    });

    // A picture is sent as soon as it is chosen.
    for (const field of document.querySelectorAll("input[type=file]"))
      field.addEventListener("change", () => { if (field.files.length) field.form.requestSubmit(); });

    // A form is sent once.
    document.addEventListener("submit", event => {
      if (event.target.method !== "post") return;
      if (event.target.dataset.sent) return event.preventDefault();
      event.target.dataset.sent = "1";
    });
    addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sent; });

    document.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.matches("input, textarea, select")) {
        if (event.key === "Escape") event.target.blur();
        return;
      }
      if (event.key === "/" && search) {
        search.focus();
        search.select();
        event.preventDefault();
      } else if (event.key === "j" || event.key === "k") {
        const all = links();
        const now = all.indexOf(document.activeElement);
        const next = all[now < 0 ? 0 : now + (event.key === "j" ? 1 : -1)];
        if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); event.preventDefault(); }
      } else if (event.key === "l") {
        const button = document.querySelector("form[action$='/log'] button");
        if (button) { button.focus(); event.preventDefault(); }
      }
    });
    """#

  /// Three spines on a board.
  static let icon: StaticString = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#faf8f4"/>\
    <path d="M12 14h11v34H12z" fill="#a4401f"/><path d="M26 20h9v28h-9z" fill="#1c1a17"/>\
    <path d="M38 17l9-2 6 32-9 2z" fill="#b8741a"/><path d="M8 48h48v4H8z" fill="#8a8378"/></svg>

    """
}
