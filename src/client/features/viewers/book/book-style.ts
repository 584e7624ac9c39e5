/** The style of a chapter inside its shadow root, with the tokens of the page. The styles of the book follow it. */
export const bookStyle = `
  :host {
    display: block; color: var(--fg); font: calc(1.0625rem * var(--book-scale, 1)) / 1.65 var(--font);
    overflow-wrap: anywhere; contain: layout paint;
  }
  article { max-inline-size: 38em; margin-inline: auto; padding: 2rem 1.5rem; hyphens: auto; }
  :where(h1, h2, h3, h4, h5, h6) { margin-block: 1.4em 0.6em; line-height: 1.25; }
  h1 { font-size: 1.75em; }
  h2 { font-size: 1.4em; }
  h3 { font-size: 1.15em; }
  h4, h5, h6 { font-size: 1em; }
  article > :first-child { margin-block-start: 0; }
  p, ul, ol, dl, pre, table, blockquote, figure { margin-block: 0 0.8em; }
  figure { margin-inline: 0; }
  a { color: var(--accent-fg); }
  a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
  code, pre, kbd, samp { font-family: var(--font-mono); font-size: 0.875em; }
  pre { padding: 0.75rem 1rem; overflow: auto; border-radius: 8px; background: var(--bg-sunken); line-height: 1.5; }
  blockquote { margin-inline: 1.5em; }
  table { display: block; max-inline-size: max-content; overflow: auto; border-collapse: collapse; }
  th, td { padding: 0.35em 0.75em; border: 1px solid var(--border); text-align: start; }
  [align='center'] { text-align: center; }
  [align='right'] { text-align: end; }
  img { max-inline-size: 100%; max-block-size: 85vh; block-size: auto; object-fit: contain; }
  hr { inline-size: 30%; border: 0; border-block-start: 1px solid var(--border); margin-block: 2em; }
`
