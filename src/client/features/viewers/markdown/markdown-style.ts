/** The style of a rendered document inside its shadow root, with the tokens of the page. */
export const markdownStyle = `
  :host { color: var(--fg); font: 1rem/1.65 var(--font); overflow-wrap: anywhere; }
  article { box-sizing: border-box; max-inline-size: 52rem; margin-inline: auto; padding: 1.5rem; }
  article[data-long] > * { content-visibility: auto; contain-intrinsic-size: auto 3rem; }
  article[data-long] > ol { padding-inline-start: 6.5ch; }
  article > :first-child { margin-block-start: 0; }
  h1, h2, h3, h4, h5, h6 { margin-block: 1.6em 0.6em; line-height: 1.25; }
  h1 { font-size: 1.75rem; }
  h2 { font-size: 1.375rem; padding-block-end: 0.3em; border-block-end: 1px solid var(--border); }
  h3 { font-size: 1.125rem; }
  h4, h5, h6 { font-size: 1rem; }
  p, ul, ol, dl, pre, table, blockquote { margin-block: 0 1em; }
  a { color: var(--accent-fg); }
  a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
  code, pre, kbd, samp { font-family: var(--font-mono); font-size: 0.875em; }
  :not(pre) > code, kbd { padding: 0.15em 0.35em; border-radius: 4px; background: var(--bg-sunken); }
  pre { padding: 0.75rem 1rem; overflow: auto; border-radius: 8px; background: var(--bg-sunken); line-height: 1.5; }
  blockquote { margin-inline: 0; padding-inline-start: 1em; border-inline-start: 4px solid var(--border); color: var(--fg-muted); }
  blockquote > :last-child, article > ul > li:last-child > :last-child, article > ol > li:last-child > :last-child { margin-block-end: 0; }
  table { display: block; max-inline-size: max-content; overflow: auto; border-collapse: collapse; }
  th, td { padding: 0.35em 0.75em; border: 1px solid var(--border); text-align: start; }
  table:not([data-long]) :is(th, td) { overflow-wrap: normal; }
  th { background: var(--bg-sunken); }
  table[data-long] { --padding: 1.75em; inline-size: min(100%, calc(var(--letters) * 1ch + var(--count) * var(--padding))); }
  table[data-long] :is(thead, tbody) { display: block; min-inline-size: calc(var(--fewest-letters) * 1ch + var(--count) * var(--padding)); }
  table[data-long] tbody { content-visibility: auto; contain-intrinsic-size: auto 120rem; }
  table[data-long] tr { display: grid; grid-template-columns: var(--columns); }
  table[data-long] tr > * + * { border-inline-start: 0; }
  table[data-long] tbody > tr > * { border-block-start: 0; }
  [data-continued] { margin-block-start: -1em; }
  [align='center'] { text-align: center; }
  [align='right'] { text-align: end; }
  img { max-inline-size: 100%; block-size: auto; }
  hr { border: 0; border-block-start: 1px solid var(--border); margin-block: 2em; }
  li:has(> input) { list-style: none; margin-inline-start: -1.4em; }
`
