/** One sheet, inline: the page stands alone, on a screen by day or night and on paper. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fdfcf9;
  --panel: #f4f1ea;
  --ink: #1f2328;
  --faint: #666159;
  --line: #e2dccf;
  --rubric: #9c2f1c;
  --get: #1f6a4d;
  --post: #8a5a00;
  --patch: #5b45a0;
  --delete: #a12a3a;
  --sans: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
  --serif: Charter, "Bitstream Charter", "Iowan Old Style", Cambria, Georgia, serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16171a;
    --panel: #1e2024;
    --ink: #e3e1dc;
    --faint: #9c978d;
    --line: #33353a;
    --rubric: #e88a72;
    --get: #7cc9a5;
    --post: #e0b565;
    --patch: #b4a3ee;
    --delete: #f0909d;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: inherit; text-decoration-color: var(--rubric); text-underline-offset: .2em; }
a:hover { color: var(--rubric); }
a:focus-visible { outline: 2px solid var(--rubric); outline-offset: 3px; border-radius: 2px; }
code, pre, kbd { font-family: var(--mono); font-size: .86em; }
code { background: var(--panel); border-radius: 3px; padding: .08em .32em; overflow-wrap: break-word; }
p code, dd code, dt code, td code { white-space: nowrap; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .85rem 1rem;
  margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; font-size: .78rem; }
pre code { background: none; padding: 0; font-size: inherit; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; letter-spacing: -.01em;
  text-wrap: balance; }
h1 { font-size: 2.6rem; margin: 0; }
h2 { font-size: 1.75rem; margin: 0 0 1.5rem; }
h3 { font-size: 1.4rem; margin: 0; }
h4 { font-size: .74rem; font-weight: 600; letter-spacing: .09em; text-transform: uppercase;
  color: var(--faint); margin: 2rem 0 .5rem; }
p { margin: .6rem 0; max-width: 44rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; }
.frame { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 94rem; margin: 0 auto; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2.4rem 1.5rem 2rem;
  font-size: .89rem; border-right: 1px solid var(--line); }
nav .name { font: 600 1.3rem/1 var(--serif); text-decoration: none; }
nav .name span { color: var(--faint); font: .78rem var(--sans); margin-left: .4rem; }
nav h2 { font: 600 .72rem/1 var(--sans); letter-spacing: .09em; text-transform: uppercase;
  color: var(--faint); margin: 2rem 0 .6rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .55rem; align-items: baseline; padding: .22rem 0; text-decoration: none;
  line-height: 1.35; }
main { padding: 3.2rem 3rem 5rem; min-width: 0; }
.lead { font: 1.2rem/1.5 var(--serif); color: var(--faint); margin: .7rem 0 1.4rem; }
.about { display: grid; grid-template-columns: minmax(0, 1fr) 27rem; gap: 0 3rem; margin-bottom: 4rem; }
.about section { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: 1rem; padding: .85rem 0;
  border-top: 1px solid var(--line); }
.about section h3 { font: 600 1rem/1.6 var(--serif); color: var(--rubric); }
.about section p { margin: 0; font-size: .94rem; }
.group { border-top: 2px solid var(--ink); padding-top: 1.6rem; margin-bottom: 4rem; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) 27rem; gap: 0 3rem;
  padding: 1.8rem 0 3rem; }
.operation + .operation { border-top: 1px solid var(--line); }
.operation h3 a { text-decoration: none; }
.operation h3 a::after { content: " #"; color: var(--rubric); opacity: 0; }
.operation h3 a:hover::after { opacity: 1; }
.route { font: .95rem/1.5 var(--mono); margin: .55rem 0 1rem; overflow-wrap: anywhere; }
.method { font: 700 .72rem/1 var(--mono); letter-spacing: .03em; flex: none; }
nav .method { min-width: 2.9rem; font-size: .66rem; }
.route .method { font-size: .95rem; margin-right: .5rem; letter-spacing: 0; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); }
.delete { color: var(--delete); }
.facts { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .35rem 1rem; margin: 1.3rem 0 0;
  font-size: .91rem; border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; }
.facts s { color: var(--faint); }
.kinds { display: flex; flex-wrap: wrap; gap: .15rem 1rem; }
.aside { padding-top: .3rem; }
.aside .sticky { position: sticky; top: 1.5rem; }
.aside h4:first-child { margin-top: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.5; }
th { text-align: left; font-weight: 600; font-size: .78rem; color: var(--faint);
  padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
td { vertical-align: top; padding: .5rem .8rem .5rem 0; border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { padding-right: 0; }
td p { margin: 0; }
td.field { white-space: nowrap; }
td.field code, td.code code { background: none; padding: 0; font-weight: 600; }
td.type { color: var(--faint); font-size: .84rem; width: 9rem; }
td.status { font: 600 .84rem/1.6 var(--mono); width: 3.6rem; }
td.code code { font-size: .8rem; }
.depth-1 { padding-left: 1.3rem; } .depth-2 { padding-left: 2.6rem; } .depth-3 { padding-left: 3.9rem; }
.depth-4, .depth-5, .depth-6 { padding-left: 5.2rem; }
.mark { color: var(--rubric); font-size: .78rem; }
.rules { color: var(--faint); font-size: .84rem; }
.headers { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1rem;
  margin: .9rem 0 0; font-size: .84rem; color: var(--faint); }
.headers dd { margin: 0; }
footer { border-top: 1px solid var(--line); padding-top: 1rem; color: var(--faint); font-size: .87rem; }
@media screen and (max-width: 90rem) {
  main { padding-inline: 2.4rem; }
  .about, .operation { grid-template-columns: minmax(0, 1fr) 23.5rem; column-gap: 2.4rem; }
}
@media screen and (max-width: 72rem) {
  .about, .operation { grid-template-columns: minmax(0, 1fr); }
  .aside { padding-top: 1.8rem; } .aside .sticky { position: static; }
}
@media screen and (max-width: 52rem) {
  .frame { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line);
    padding: 1.5rem; }
  main { padding: 2rem 1.25rem 4rem; }
  .about section { grid-template-columns: minmax(0, 1fr); gap: 0; }
  td.field, td.code code { white-space: normal; overflow-wrap: anywhere; }
  td.type { width: auto; overflow-wrap: anywhere; }
  table { display: block; overflow-x: auto; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { color-scheme: only light; --paper: #fff; --panel: #fff; --ink: #000; --faint: #444;
    --line: #bbb; --rubric: #7a1f10; }
  body { font-size: 10pt; }
  nav, .skip { display: none; }
  .frame, .about, .operation { display: block; max-width: none; }
  main { padding: 0; }
  .aside .sticky { position: static; }
  h2, h3, h4 { break-after: avoid; } tr, pre, .facts { break-inside: avoid; }
}
`
