import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { splitName } from '../../../shared/domain/names.ts'
import type { Path } from '../../../shared/domain/path.ts'

/** What the form of a text gets. */
export type TextFormProps = {
  readonly name: string
  readonly text: string
  /** The path of the text in the user's scope, from which its relative links start. Null when it has none. */
  readonly path: Path | null
}

/** Another form of a text than its source, such as a rendered Markdown document. */
export type TextForm = {
  /** The id of the form. The label of its button is `editor.form.<id>` in the catalogues. */
  readonly id: 'rendered' | 'page'
  readonly extensions: readonly string[]
  readonly Component: LazyExoticComponent<ComponentType<TextFormProps>>
}

/** The largest text that is shown in another form while it is edited, in characters. */
export const maxFormLength = 2_000_000

const textForms: readonly TextForm[] = [
  {
    id: 'rendered',
    extensions: ['md', 'markdown', 'mdown', 'mkd'],
    Component: lazy(async () => ({ default: (await import('./markdown/markdown-page.tsx')).MarkdownPage })),
  },
  {
    id: 'page',
    extensions: ['html', 'htm', 'xhtml'],
    Component: lazy(async () => ({ default: (await import('./html/html-page.tsx')).HtmlPage })),
  },
]

/** Returns the form of a text with this name, or undefined when it has none. */
export function textFormOf(name: string): TextForm | undefined {
  const extension = splitName(name).extension.slice(1).toLowerCase()
  return textForms.find(({ extensions }) => extensions.includes(extension))
}
