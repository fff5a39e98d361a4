// A template tag for HTML: every inserted value is escaped, unless it is Markup made here. And the style of the pages.

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Insertable = string | number | Markup | readonly Markup[]

export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + toHtml(values[index - 1] ?? '') + string))
}

export const NOTHING = new Markup('')

/** A sentence with `code` in backticks. */
export function prose(text: string): Markup {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}

export function joined(parts: readonly Markup[], separator: string): Markup {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`
}

function toHtml(value: Insertable): string {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map((markup: Markup) => markup.text).join('')
  return escaped(String(value))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Embedded in the page unchanged: the content security policy allows it by its hash. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fdfdfb; --soft: #f1f2ee; --line: #d9dcd5; --dim: #5d6672; --link: #1b5e8c;
  --get: #1b6e4b; --head: #4c6470; --post: #1b5e8c; --patch: #8a5a00; --delete: #a3282b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6e3; --paper: #15181c; --soft: #1f242a; --line: #353c45; --dim: #9aa4b0;
  --link: #7fbde8; --get: #6fcf9f; --head: #a3b8c2; --post: #7fbde8; --patch: #e3b457; --delete: #f08a8c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 5rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3.5rem 0 1rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); font-size: 1.4rem; }
h3 { margin: 2.5rem 0 .4rem; font-size: 1.05rem; }
h4 { margin: 1.4rem 0 .4rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--dim); }
p { margin: .4rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre, .method { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em; }
pre { margin: .5rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--soft); border-radius: .4rem; line-height: 1.45; }
pre code { font-size: 1em; }
.dim, figcaption { color: var(--dim); font-size: .9em; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--dim); font-weight: 600; }
td:last-child { min-width: 14rem; }
.method { display: inline-block; min-width: 4.2em; font-weight: 700; }
.get { color: var(--get); } .head { color: var(--head); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { padding: .15rem 0; }
nav a { text-decoration: none; }
nav a:hover code { text-decoration: underline; }
details { margin: .35rem 0; border: 1px solid var(--line); border-radius: .4rem; }
details > summary { padding: .4rem .8rem; cursor: pointer; }
details > summary:hover { background: var(--soft); }
details > div { padding: .2rem .8rem .8rem; }
figure { margin: .8rem 0 0; }
:target { scroll-margin-top: 1rem; }
@media (max-width: 40rem) { body { padding: 1.25rem .9rem 3rem; } h1 { font-size: 1.6rem; } nav .dim { display: block; padding-left: 4.9em; } }
`

/** A page that loads nothing. */
export function pageWith(title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}</body>
</html>
`.text
}
