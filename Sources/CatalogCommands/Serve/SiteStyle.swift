/// The look of the site: paper, ink, one accent for what is pressed, and the covers as the colour.
enum SiteStyle {
  /// The style sheet of every page.
  static let sheet: StaticString = #"""
    :root{color-scheme:light dark;--paper:#faf8f4;--ink:#1c1a17;--faint:#6a645b;--rule:#e4dfd6;--edge:#8a8378;
    --card:#fff;--accent:#a4401f;--star:#96600f;--lit:#b8741a;--off:#cdc5b8;--f:minmax(0,1fr);
    --serif:"Iowan Old Style",Palatino,"Noto Serif KR","Noto Serif CJK KR",Georgia,serif}
    @media screen and (prefers-color-scheme:dark){:root{--paper:#141312;--ink:#efebe4;--faint:#a39c91;
    --rule:#2c2927;--edge:#7d766c;--card:#1d1b19;--accent:#f08a5d;--star:#f0b429;--lit:#f0b429;--off:#46413a}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);
    font:16px/1.5 system-ui,"Apple SD Gothic Neo","Noto Sans KR","Noto Sans CJK KR",sans-serif;
    overflow-wrap:break-word}
    :lang(ko){word-break:keep-all}
    a{color:inherit;text-decoration:none}a:hover{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    .skip{position:absolute;left:-99em}.skip:focus{left:8px;top:8px;z-index:9;background:var(--card);padding:10px}
    h1,h2,h3,.serif{font-family:var(--serif);font-weight:600;line-height:1.15;margin:0;letter-spacing:-.01em}
    :is(h1,h2,h3,.serif):lang(ko){letter-spacing:-.03em;line-height:1.25}
    h1{font-size:clamp(30px,5vw,48px)}h2{font-size:22px}h3{font-size:17px}
    small,.faint,.kind,.count>p,.entries dt,thead th,.months h3,.cal li,.hist a{color:var(--faint)}
    small,.faint{font-size:14px;font-weight:400}
    p{margin:8px 0}blockquote{margin:8px 0;white-space:pre-line}ul,ol{list-style:none;margin:0;padding:0}
    .st{color:var(--star);letter-spacing:-.04em;white-space:nowrap}
    .bar{position:sticky;top:0;z-index:2;background:var(--paper);border-bottom:1px solid var(--rule)}
    .bar>div{max-width:1240px;margin:auto;padding:10px 20px;display:flex;gap:20px;align-items:center}
    .brand{font-size:20px;white-space:nowrap}.brand,.bar nav a{padding:6px 0}.bar nav{display:flex;gap:18px;
    font-size:15px}
    .bar nav a[aria-current]{box-shadow:0 2px 0 var(--accent)}.bar form{margin-left:auto;flex:0 1 340px;min-width:0}
    main{max-width:1240px;margin:auto;padding:24px 20px 96px}.thin{max-width:760px}
    .tabs{display:none}
    .count,.act,.acts,.ask,.ticks,.pages{display:flex;flex-wrap:wrap}.count{gap:8px 26px;align-items:baseline;
    margin:4px 0 18px}.count>p{font-size:15px;margin:0}
    .count a,.link,.by a,.entries a{border-bottom:1px solid var(--edge)}
    .count a,.link,.entries a,.list h2 a,.list h3 a{display:inline-block;min-height:25px;min-width:24px}
    .chips{display:flex;gap:8px;overflow-x:auto;padding:4px 4px 14px;margin:0 -4px;scrollbar-width:none}
    .flow{flex-wrap:wrap}
    .chip,.card{background:var(--card);border:1px solid var(--rule)}.chip{white-space:nowrap;border-radius:99px;
    padding:7px 14px;font-size:14px;min-height:36px}
    .chip[aria-current]{background:var(--ink);color:var(--paper);border-color:var(--ink)}
    .chip[aria-current] small{color:inherit;opacity:.8}
    .pages{gap:8px;justify-content:center;margin:36px 0 0}.ends{justify-content:space-between}
    section,main>h2{margin-top:44px}section>h2,main>h2{margin-bottom:14px}
    img.c{object-fit:cover;background:var(--rule)}.c{display:block;width:100%;border-radius:4px;
    box-shadow:0 1px 2px #0003,0 8px 18px -8px #0006;overflow:hidden;color:#fff;print-color-adjust:exact;
    background:linear-gradient(160deg,hsl(var(--h) 38% 34%),hsl(calc(var(--h) + 24) 44% 22%))}
    .movie .c,.book .c{aspect-ratio:2/3}.vinyl .c{aspect-ratio:1}.book .c{border-radius:2px 4px 4px 2px;
    border-left:3px solid #0003}
    .h0{--h:0}.h1{--h:30}.h2{--h:60}.h3{--h:90}.h4{--h:120}.h5{--h:150}.h6{--h:180}.h7{--h:210}.h8{--h:240}
    .h9{--h:270}.h10{--h:300}.h11{--h:330}
    .p,.hist a{display:flex;flex-direction:column;justify-content:space-between}.p{padding:11% 9%}
    .p b,.p i,.wall p{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:var(--n,2);overflow:hidden}
    .p b{font:600 16px/1.2 var(--serif);padding-bottom:.15em;--n:5}.p i{font-style:normal;font-size:12px}
    .vinyl .p b{--n:3}.big .p b,.big .p b.s{font-size:clamp(22px,3vw,34px)}.big .p i{font-size:15px}
    .wall{display:grid;grid:auto/repeat(auto-fill,minmax(132px,1fr));gap:0 18px}
    .wall li,.wall a{display:grid;grid-row:span 3;grid-template-rows:subgrid;position:relative;min-width:0}
    .wall li{padding-bottom:24px}
    .wall .c{align-self:end}.wall a:hover .c{transform:translateY(-3px)}
    .wall small::first-letter{text-transform:uppercase}.wall p{margin:8px 0 0;font-size:14px;line-height:1.3;align-self:start}.wall small{font-size:13px}
    .wall .st{display:block;min-height:20px}
    .badge{position:absolute;right:6px;bottom:6px;background:#000c;color:#fff;border-radius:99px;font-size:12px;
    padding:1px 8px;z-index:1}.at{position:relative;align-self:end;min-width:0}
    .rail{grid-template:repeat(3,auto)/none;grid-auto-flow:column;grid-auto-columns:112px;gap:0 16px;
    overflow-x:auto;padding:4px 4px 0;margin:0 -4px}.rail p{font-size:13px}.rail .p b{font-size:14px}
    .rail .p i{--n:1}.p b.s{font-size:12px}.trio.wall{grid:auto/repeat(3,1fr);gap:12px}
    .item{display:grid;grid:auto/minmax(220px,380px) var(--f);gap:44px;align-items:start}
    .big{position:sticky;top:84px}.big .c{box-shadow:0 2px 4px #0003,0 22px 44px -18px #0009}
    .kind{font-size:13px;letter-spacing:.08em;text-transform:uppercase}.kind:lang(ko){letter-spacing:0}
    .by{font-size:20px;margin:6px 0 16px}
    .act{gap:10px;margin:18px 0}
    .btn{font:inherit;line-height:1.3;min-height:44px;padding:0 18px;border-radius:99px;
    border:1px solid var(--edge);background:var(--card);color:inherit;cursor:pointer;display:inline-flex;
    align-items:center;justify-content:center;text-align:center}
    .btn.main{background:var(--accent);border-color:var(--accent);color:var(--paper)}.btn.low{min-height:36px;
    padding:0 14px;font-size:14px}
    .stars{border:0;padding:0;margin:14px 0 14px -3px;display:flex}.stars legend,.out{position:absolute;
    clip-path:inset(50%);width:1px;height:1px;overflow:hidden;white-space:nowrap}
    .stars button{border:0;background:none;width:24px;height:44px;padding:0 0 0 5px;cursor:pointer}
    .stars button:nth-of-type(even){transform:scaleX(-1)}
    .stars button::before{content:"";display:block;height:36px;background:var(--off);
    clip-path:polygon(100% 0,78% 36%,0 38%,62% 60%,40% 100%,100% 78%)}
    .stars .on::before,.stars button:hover::before,.stars button:has(~button:hover)::before{background:var(--lit)}
    .stars button:hover~button::before{background:var(--off)}
    .entries{display:grid;grid:auto/max-content var(--f);gap:6px 20px;font-size:15px;margin:22px 0}
    .entries dd{margin:0}
    .tag{display:inline-block;margin:0 6px 6px 0;border:1px solid var(--rule);border-radius:4px;padding:2px 9px;
    font-size:14px}
    .card{border-radius:10px;padding:16px 20px;margin:10px 0}.card>:first-child{margin-top:0}
    .card>:last-child{margin-bottom:0}.say{font:17px/1.45 var(--serif)}
    .warn{border-left:4px solid var(--accent)}
    .list>li{display:grid;grid:auto/56px var(--f) auto;gap:4px 16px;align-items:center;padding:12px 0;
    border-top:1px solid var(--rule)}
    .list p.faint::first-letter{text-transform:uppercase}.list a{max-width:100%;overflow-wrap:anywhere}
    .list p{margin:0}.list :is(h2,h3){font-size:17px;margin:0}.list a:has(.c){align-self:start}
    summary{min-height:26px}.list .p{padding:8%}.list .p b,.list .p b.s{font-size:10px;--n:4}.acts{gap:10px;
    align-items:center;justify-content:end}
    .list>.day{grid:auto/44px 48px var(--f) auto;align-items:start}.day>b{font:600 26px/1 var(--serif);
    text-align:center}.day>b small{display:block;font:12px/1.6 system-ui}
    .list>.step{grid:auto/52px var(--f) auto}.past{text-decoration:line-through}
    .cal{margin:0 0 30px;display:grid;grid:auto/repeat(7,var(--f));gap:8px}.cal li{min-height:56px;
    border-top:1px solid var(--rule);padding-top:4px;font-size:12px}.cal .d{min-height:0;border:0}
    .cal .d+li:not(.d){border:0}.cal div{display:flex;flex-wrap:wrap;gap:5px;align-items:end;margin-top:4px}
    .cal a{flex:0 1 62px;min-width:24px}.cal .p{padding:10%}.cal .p b,.cal .p b.s{font-size:11px;--n:4}
    .cal i,.list i,.months i{display:none}
    .grid2>*{min-width:0}.grid2{display:grid;grid:auto/1fr 1fr;gap:0 44px}
    .finding{font:clamp(20px,2.6vw,28px)/1.3 var(--serif);margin:18px 0 8px;max-width:32em}
    .finding a{border-bottom:2px solid var(--accent)}
    .rows a{display:grid;grid:auto/150px var(--f) 42px;gap:12px;align-items:center;font-size:15px;padding:4px 0}
    .rows svg,.hist svg{width:100%;fill:var(--accent)}.rows svg{height:14px}.rows .ci{fill:var(--ink)}
    .rows em,.num{font-style:normal;text-align:right;font-variant-numeric:tabular-nums}
    .hist{display:flex}.hist a{flex:1;min-width:0;text-align:center;font-size:12px;justify-content:end}
    .months{display:grid;grid:auto/repeat(6,1fr);gap:26px 22px;align-items:start}
    .months h3{font:600 13px/1 system-ui;margin:0 0 8px}.months ul{display:grid;grid:auto/repeat(4,1fr);gap:5px;
    align-items:end}.months li{min-width:0}.months .c{border-radius:2px;box-shadow:none}
    .months .p b,.months .p b.s{font-size:8px;overflow-wrap:normal}.months .p{padding:8%}
    input,select,textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);
    border-radius:8px;padding:9px 12px;min-height:44px;width:100%;max-width:100%}
    input[type=search]{border-radius:99px;padding:9px 14px}::placeholder{color:var(--faint);opacity:1}
    input[type=checkbox],input[type=radio]{width:24px;height:24px;min-height:0;accent-color:var(--accent);
    margin:0 8px 0 0;vertical-align:middle;flex:none}
    ::file-selector-button{font:inherit;font-size:14px;color:inherit;background:var(--paper);
    border:1px solid var(--edge);border-radius:99px;padding:3px 12px;margin-right:10px}
    fieldset{border:0;padding:0;margin:0;min-width:0}.f{margin:18px 0}.f>label,.f legend{font-weight:600;padding:0;
    margin-bottom:4px;display:block}.f input+input,.f p+input{margin-top:6px}
    .two{display:grid;grid:auto/repeat(auto-fit,minmax(150px,1fr));gap:0 16px}.two .f{margin:10px 0}.ask{gap:10px}
    .ask>:first-child{flex:1 1 160px;width:auto}
    .bad input,[aria-invalid]{border:2px solid var(--accent)}.err{color:var(--accent);font-weight:600}
    .ticks{gap:4px 20px;margin:8px 0}.ticks label{display:flex;align-items:center;min-height:32px}
    .code{font:600 clamp(30px,9vw,52px)/1.2 ui-monospace,monospace;letter-spacing:.06em}
    input.code{text-align:center;text-transform:uppercase;padding:8px 2px}
    .qr{display:block;width:100%;max-width:300px;border-radius:8px}.mid{text-align:center}.mid .qr{margin:auto}
    form.row,.act form,.acts form{display:contents}
    .told{background:var(--card);border:1px solid var(--rule);border-left:4px solid var(--accent);
    border-radius:10px;padding:12px 20px;margin:0 0 18px}
    .told p{margin:4px 0}.told form{margin:8px 0 2px}
    label{display:block;font-weight:600;margin:14px 0}label>:is(input,select,textarea){margin-top:4px;
    font-weight:400;display:block}
    label.tick{display:flex;align-items:center;font-weight:400;min-height:44px}
    label.tick input{display:inline-block;margin:0 8px 0 0}
    .fields{display:grid;grid:auto/repeat(auto-fit,minmax(150px,1fr));gap:0 16px}.fields .long{grid-column:1/-1}
    details{margin:12px 0}summary{cursor:pointer;min-height:32px;padding:4px 0}details>form{margin:4px 0 16px}
    .list>.bare{grid:auto/var(--f) auto}main h3{margin:0 0 4px}.small{font-size:14px}
    .lead{font:clamp(19px,2.4vw,24px)/1.35 var(--serif);margin:12px 0;max-width:36em}
    .facts{display:grid;grid:auto/repeat(auto-fit,minmax(165px,1fr));gap:14px;margin:20px 0 10px}
    .facts dt{color:var(--faint);font-size:14px}
    .facts div{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:14px 18px}
    .facts dd{margin:0}
    .fact{font:600 26px/1.25 var(--serif)}figure{margin:20px 0 28px;max-width:720px}figcaption{font-weight:600;
    margin-bottom:4px}
    .chart{display:block;max-width:100%;height:auto;margin:0 -16px}.chart.wide{max-width:calc(100% + 32px)}
    .chart a:hover text{fill:var(--accent)}
    .chart .bar{fill:var(--accent)}.chart .ink{fill:var(--ink)}.chart .faint{fill:var(--faint)}
    .chart .paper{fill:var(--paper)}
    .chart .rule,.chart .none{fill:var(--rule)}.chart .sum{fill:var(--off)}.chart :is(.o1,.o2){fill:var(--ink)}
    .chart :is(.o3,.o4){fill:var(--paper)}
    .chart .l1{fill:color-mix(in srgb,var(--accent) 14%,var(--paper))}
    .chart .l2{fill:color-mix(in srgb,var(--accent) 34%,var(--paper))}
    .chart .l3{fill:color-mix(in srgb,var(--accent) 90%,var(--paper))}.chart .l4{fill:var(--accent)}
    .table{overflow-x:auto;margin:16px 0}table{border-collapse:collapse;width:100%;font-size:15px;
    font-variant-numeric:tabular-nums}
    caption{text-align:left;font-weight:600;margin-bottom:4px}th,td{text-align:left;font-weight:400;
    vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--rule);overflow-wrap:break-word}
    thead th{font-size:13px;vertical-align:bottom;border-bottom:2px solid var(--edge)}
    td a,th a,li>a.name{border-bottom:1px solid var(--edge)}
    .right{text-align:right}td.right{white-space:nowrap}.strong{font-weight:600}.long{overflow-wrap:anywhere}
    .pictures{display:none}
    th button{font:inherit;color:inherit;text-align:inherit;background:none;border:0;margin:0;padding:0;
    min-height:26px;cursor:pointer}
    th button::after{content:"\2060↕";opacity:.4;padding-left:3px}
    th[aria-sort=ascending] button::after{content:"\2060↑";opacity:1}
    th[aria-sort=descending] button::after{content:"\2060↓";opacity:1}code{font:14px/1.4 ui-monospace,monospace;
    background:var(--rule);padding:1px 5px;border-radius:4px}
    footer{margin-top:44px;color:var(--faint);font-size:14px}.narrow{display:none}main ul.plain{list-style:disc;
    padding-left:22px}
    @media(max-width:700px){.wide:not(.acts),.spare{display:none}.narrow{display:block}.bar nav{display:none}
    .bar>div{padding:10px 14px}.bar form{flex:1}main{padding:16px 14px 96px}
    .wall:not(.rail){grid:auto/repeat(3,var(--f));column-gap:12px}.wall p{font-size:13px}.p b{font-size:14px}
    .p b.s{font-size:11px}.vinyl .p i{--n:1}
    .item,.grid2{grid:auto/var(--f)}.item{gap:20px}.big{position:static;width:70%;max-width:260px;margin:auto}
    .months{grid:auto/1fr 1fr}
    .rows a{grid:auto/116px var(--f) 38px;font-size:14px}.cal{gap:4px}.cal li{min-height:44px}.cal b{display:none}
    .list>li{gap:4px 12px}.list>.day{grid:auto/34px 44px var(--f)}.day>.acts{grid-column:3}
    .list .wide{grid-column:2/-1}.day>.acts,.list .wide{justify-content:start}
    .tabs{display:grid;grid:auto/repeat(5,1fr);position:fixed;inset:auto 0 0;background:var(--paper);
    border-top:1px solid var(--rule);z-index:3}.tabs a{min-height:56px;display:grid;place-items:center;
    font-size:12px}.tabs a[aria-current]{color:var(--accent);font-weight:600}}
    @media print{:root{--paper:#fff;--ink:#000;--faint:#444;--rule:#bbb}
    .bar,.tabs,.act,.acts,.chips,.pages,.skip,form,.go,details{display:none}th button{all:unset}
    th button::after{display:none}main{padding:0;max-width:none}.wall{grid:auto/repeat(6,var(--f))!important;
    column-gap:12px!important}.wall li{break-inside:avoid;padding-bottom:14px}.c{box-shadow:none}
    .p b{font-size:12px}.big{position:static}}

    """#
}
