import type { ComponentType } from 'react'
import { splitName } from '../../../shared/domain/names.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { lazyModule, lazyPart } from '../../state/parts/lazy-part.ts'
import type { ViewerProps } from './viewer.ts'

/** The properties of a component that shows a rendering of a text. */
export type TextRenderingProps = {
  readonly name: string
  readonly text: string
  /** The path of the text in the user's scope, from which its relative links start. Null when it has none. */
  readonly path: Path | null
}

/** The properties of a component that shows a rendering of a file whose text no editor has loaded. */
export type FileRenderingProps = Pick<ViewerProps, 'file' | 'onBroken'>

/** A rendering, which shows a text other than as its source: a Markdown document, for example, with its headings and lists. */
export type TextRendering = {
  /** The id of the rendering. The label of its button is `editor.form.<id>` in the catalogues. */
  readonly id: 'rendered' | 'page' | 'table' | 'tree'
  readonly extensions: readonly string[]
  readonly Component: ComponentType<TextRenderingProps>
  /** Loads the code of the component while the text is on its way. Never rejects. */
  readonly prepare?: () => Promise<void>
  /** Reads a whole file itself and shows it. Without this component, the rendering shows the beginning of the text. */
  readonly FileComponent?: ComponentType<FileRenderingProps>
  /** The largest text that is rendered while it is edited, in characters. */
  readonly maxLength: number
}

/** The largest text that is rendered, in characters. */
export const maxRenderedLength = 2_000_000
/** Renderings that show only a window of a text in a worker take every text that the editor opens: 50 MB (ux 2.14). */
const maxWindowedLength = 50 * 1024 * 1024

const markdown = lazyModule(() => import('./markdown/markdown-page.tsx'))

const textRenderings: readonly TextRendering[] = [
  {
    id: 'rendered',
    extensions: ['md', 'markdown', 'mdown', 'mkd'],
    Component: markdown.part((module) => module.MarkdownPage),
    prepare: markdown.prepare,
    maxLength: maxRenderedLength,
  },
  {
    id: 'page',
    extensions: ['html', 'htm', 'xhtml'],
    Component: lazyPart(async () => (await import('./html/html-page.tsx')).HtmlPage),
    maxLength: maxRenderedLength,
  },
  {
    id: 'table',
    extensions: ['csv', 'tsv', 'tab'],
    Component: lazyPart(async () => (await import('./table/table-page.tsx')).TablePage),
    FileComponent: lazyPart(async () => (await import('./table/table-page.tsx')).TableFile),
    maxLength: maxWindowedLength,
  },
  {
    id: 'tree',
    extensions: ['json', 'geojson', 'webmanifest', 'jsonc', 'ndjson', 'jsonl'],
    Component: lazyPart(async () => (await import('./tree/tree-page.tsx')).TreePage),
    FileComponent: lazyPart(async () => (await import('./tree/tree-page.tsx')).TreeFile),
    maxLength: maxWindowedLength,
  },
]

/** Returns the rendering of a text with this name, or undefined when it has none. */
export function textRenderingOf(name: string): TextRendering | undefined {
  const extension = splitName(name).extension.slice(1).toLowerCase()
  return textRenderings.find(({ extensions }) => extensions.includes(extension))
}
