import { useEffect, useRef, useState } from 'react'
import { Info } from 'lucide'
import { pathOf, encodePath, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { t } from '../../../i18n/translate.ts'
import { filesUrl, navigate, withBase } from '../../../router/router.ts'
import { Banner } from '../../../ui/banner.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { startWorker } from '../../../api/trusted-sinks.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { decodePart } from '../decode-part.ts'
import { loadDrawing } from '../markup/load-drawing.ts'
import { TooComplexError } from '../markup/too-complex-error.ts'
import { PlainText } from '../text/plain-text.tsx'
import type { TextRenderingProps } from '../text-renderings.ts'
import { drawFrontMatter, separateFrontMatter } from './front-matter.ts'
import { markdownStyle } from './markdown-style.ts'
import markdownWorker from './markdown-worker.ts?worker&url'
import { partsFromWorker, readingLimits } from './parts-from-worker.ts'
import { createMarkdownRenderer, type DocumentLinks } from './render-markdown.ts'
import styles from './markdown.module.css'

/**
 * Shows a Markdown document. It lives in a shadow root, so that its styles and ids do not collide with those of the
 * page. A long document grows part by part when it is opened. When its text changes, the new rendering replaces the old one
 * once it is complete, so that the place to which the user scrolled stays. The text itself is shown in the place of a
 * document that would keep the browser busy.
 */
export function MarkdownPage({ name, text, path }: TextRenderingProps) {
  const host = useRef<HTMLElement>(null)
  const shownPath = useRef<Path | null | undefined>(undefined)
  const [incomplete, setIncomplete] = useState<IncompleteDocument | null>(null)
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const end = new AbortController()
    const root = element.shadowRoot ?? openRoot(element)
    const article = document.createElement('article')
    const isOpened = shownPath.current !== path
    if (isOpened) root.replaceChildren(article)
    shownPath.current = path
    const show = async (): Promise<void> => {
      const isCut = await addParts(article, { text, path, signal: end.signal })
      if (end.signal.aborted) return
      if (!isOpened) root.replaceChildren(article)
      setIncomplete(isCut ? { text, shows: 'beginning' } : null)
    }
    const shown = show().catch((error: unknown) => {
      if (end.signal.aborted) return
      if (!(error instanceof TooComplexError)) reportError(error)
      setIncomplete({ text, shows: 'source' })
    })
    complete.set(root, shown)
    return () => end.abort()
  }, [text, path])
  const shows = incomplete?.text === text ? incomplete.shows : 'all'
  return (
    <>
      {shows === 'beginning' && <Banner icon={Info}>{t('viewer.tooLong')}</Banner>}
      {shows === 'source' && (
        <>
          <Banner icon={Info}>{t('viewer.tooComplex')}</Banner>
          <PlainText name={name} text={text} />
        </>
      )}
      <ScrollArea
        ref={host}
        className={classNames(styles.page, shows === 'source' && styles.hidden)}
        label={visibleName(name)}
      />
    </>
  )
}

/** A text of which only the beginning is shown as a document, or that is shown as it is. */
type IncompleteDocument = { readonly text: string; readonly shows: 'beginning' | 'source' }

/**
 * The largest number of elements of a document. The first element after 100,000 others takes browsers as long as those
 * (measured with Chromium).
 */
const maxElements = 100_000

type DocumentSource = { readonly text: string; readonly path: Path | null; readonly signal: AbortSignal }

/**
 * Adds the parts of a document to an article as a worker reads them. Returns true when the document is cut because it has
 * too many elements.
 * @throws when the document is too complex, when the worker cannot be loaded, and the reason of the signal.
 */
async function addParts(article: HTMLElement, { text, path, signal }: DocumentSource): Promise<boolean> {
  const render = createMarkdownRenderer(linksFrom(path, signal))
  const worker = startWorker(markdownWorker)
  const { body, rows } = separateFrontMatter(text)
  const frontMatter = drawFrontMatter(rows)
  let elements = 0
  for await (const part of partsFromWorker(body, { worker, signal, limits: readingLimits })) {
    const rendered = render(part)
    elements += rendered.elements
    if (elements > maxElements) return true
    addPart(article, rendered.content)
    // The first part decides the direction. Afterwards the fragment is empty.
    article.prepend(frontMatter)
  }
  article.prepend(frontMatter)
  return false
}

/** Resolves for the root of a document when all of its parts are shown. */
const complete = new WeakMap<ShadowRoot, Promise<void>>()

/**
 * Adds a part of a document. Rows at its beginning belong to the table at the end of the article. The first part decides
 * the direction, because an automatic one costs time with every part.
 */
function addPart(article: HTMLElement, part: DocumentFragment): void {
  if (article.firstChild === null) article.dir = 'auto'
  else if (article.dir === 'auto') {
    article.dir = article.matches(':dir(rtl)') ? 'rtl' : 'ltr'
    article.dataset['long'] = ''
  }
  const rows = part.firstElementChild
  if (rows?.tagName === 'TBODY') article.lastElementChild?.append(rows)
  article.append(part)
}

function openRoot(element: HTMLElement): ShadowRoot {
  const root = element.attachShadow({ mode: 'open' })
  const style = new CSSStyleSheet()
  style.replaceSync(markdownStyle)
  root.adoptedStyleSheets = [style]
  root.addEventListener('click', (event) => followLink(root, event as MouseEvent))
  return root
}

/** Follows links inside the document and inside the application on a plain click, without loading the page again. */
function followLink(root: ShadowRoot, event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  const address = link?.getAttribute('href') ?? ''
  if (link === null || !isPlain || link.target === '_blank' || address === '') return
  event.preventDefault()
  if (address.startsWith('#'))
    void complete.get(root)?.then(() => root.getElementById(decodePart(address.slice(1)))?.scrollIntoView())
  else navigate(address.slice(withBase('').length))
}

const imageAt = (target: Path | null): string | null =>
  target && href('raw.get', { path: target, query: { inline: true } })

/** Returns what the relative addresses in a document lead to: files beside it, seen from its folder. */
function linksFrom(path: Path | null, signal: AbortSignal): DocumentLinks {
  const targetOf = (address: string): { readonly path: Path; readonly isFolder: boolean } | null => {
    if (path === null) return null
    const folder = new URL(`${encodePath(parentOf(path)).replace(/\/$/, '')}/`, 'https://files.invalid')
    const url = URL.parse(address, folder)
    const target = url === null ? null : pathOf(url.pathname.split('/').map(decodePart).join('/'))
    return target === null ? null : { path: target, isFolder: url?.pathname.endsWith('/') === true }
  }
  return {
    imageOf: (address) => imageAt(targetOf(address)?.path ?? null),
    // macOS writes names with decomposed letters, and keyboards write composed ones.
    twinOf: (address) => {
      const own = targetOf(address)?.path ?? ''
      const twin = own.normalize(own === own.normalize('NFC') ? 'NFD' : 'NFC')
      return twin === own ? null : imageAt(pathOf(twin))
    },
    pageOf: (address) => {
      const target = targetOf(address)
      return target && withBase(filesUrl(target.path, target.isFolder))
    },
    onDrawing: (image, address) => void showDrawing(image, { address, signal }),
    remoteLabel: (host) => t('viewer.remoteImage', { host }),
  }
}

type DrawingSource = { readonly address: string; readonly signal: AbortSignal }

/** Shows a drawing in an image. Of a drawing that cannot be shown, the description is shown. */
async function showDrawing(image: HTMLImageElement, { address, signal }: DrawingSource): Promise<void> {
  const url = await loadDrawing(address, signal).catch(() => null)
  if (url === null) return
  image.src = url
  signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true })
}
