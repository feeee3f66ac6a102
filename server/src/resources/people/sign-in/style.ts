import type { SignInEndpoint } from '../../../http/sign-in.ts'

// The tokens of the API reference, on pages of one narrow column.
const text = `:root {
  color-scheme: light dark;
  --paper: #fdfcf9;
  --ink: #1f2328;
  --faint: #666159;
  --line: #e2dccf;
  --rubric: #9c2f1c;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #16171a; --ink: #e3e1dc; --faint: #9c978d; --line: #33353a; --rubric: #e88a72; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font: 400 1.75rem/1.2 Charter, "Iowan Old Style", Cambria, Georgia, serif; margin: 0 0 1.5rem; }
p { margin: 0 0 1rem; }
a { color: var(--rubric); }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: 0.6rem 0; }
button, .choice {
  display: block; width: 100%; padding: 0.7rem 1rem; border: 1px solid var(--ink); border-radius: 0;
  background: transparent; color: inherit; font: inherit; text-align: left; text-decoration: none; cursor: pointer;
}
button:hover, .choice:hover { background: var(--ink); color: var(--paper); }
:focus-visible { outline: 2px solid var(--rubric); outline-offset: 2px; }
.faint { color: var(--faint); }
h2 { font: 400 1.2rem/1.3 Charter, "Iowan Old Style", Cambria, Georgia, serif; margin: 2rem 0 0.6rem; }
label { display: block; margin: 0 0 0.3rem; color: var(--faint); }
input { width: 100%; padding: 0.6rem 0.8rem; border: 1px solid var(--line); background: transparent; color: inherit;
  font: inherit; margin: 0 0 0.8rem; }
li { overflow-wrap: anywhere; }
li button { display: inline-block; width: auto; padding: 0.1rem 0.6rem; margin-left: 0.6rem; border-color: var(--line); }
[role="alert"] { color: var(--rubric); margin-top: 1rem; }
[role="alert"]:empty { display: none; }
`

export const styleSheet: SignInEndpoint = {
  method: 'GET',
  path: '/auth/style.css',
  caller: 'browser',
  run: () =>
    Promise.resolve({
      status: 200,
      headers: { 'cache-control': 'public, max-age=3600' },
      body: { text, type: 'text/css; charset=utf-8' },
    }),
}
