type PageTitle = {
  /** The name of the page. */
  readonly text: string
  /** A text before the name, such as the progress of uploads (`↑ 42 %`). An empty text is not shown. */
  readonly prefix: string
  /** True while the open text has unsaved changes. A dot at the beginning of the title shows it. */
  readonly isUnsaved: boolean
}

let title: PageTitle = { text: '', prefix: '', isUnsaved: false }

/** Changes parts of the title of the tab. The other parts stay as they are. */
export function setTitle(change: Partial<PageTitle>): void {
  title = { ...title, ...change }
  const { text, prefix, isUnsaved } = title
  document.title = (isUnsaved ? '● ' : '') + (prefix && `${prefix} · `) + text
}
