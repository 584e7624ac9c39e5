import { useEffect, useRef } from 'react'
import { pathOf, encodePath, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { t } from '../../../i18n/translate.ts'
import { filesUrl, navigate, withBase } from '../../../router/router.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { decodePart } from '../decode-part.ts'
import type { TextFormProps } from '../text-forms.ts'
import { markdownStyle } from './markdown-style.ts'
import { type DocumentLinks, renderMarkdown } from './render-markdown.ts'
import { showInSlices } from './show-in-slices.ts'
import styles from './markdown.module.css'

/**
 * Shows a Markdown document. It lives in a shadow root, so that its styles and ids do not collide with those of the
 * page. A long document grows part by part when it is opened. When its text changes, the new form replaces the old one
 * once it is complete, so that the place to which the user scrolled stays.
 */
export function MarkdownPage({ name, text, path }: TextFormProps) {
  const host = useRef<HTMLElement>(null)
  const shownPath = useRef<Path | null | undefined>(undefined)
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const end = new AbortController()
    const root = element.shadowRoot ?? openRoot(element)
    const article = document.createElement('article')
    const isOpened = shownPath.current !== path
    if (isOpened) root.replaceChildren(article)
    shownPath.current = path
    const add = (part: DocumentFragment): void => addPart(article, part)
    const shown = showInSlices(renderMarkdown(text, linksFrom(path)), add, end.signal)
    if (!isOpened) void shown.then(() => root.replaceChildren(article))
    complete.set(root, shown)
    return () => end.abort()
  }, [text, path])
  return <ScrollArea ref={host} className={styles.page} label={visibleName(name)} />
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

/** Returns what the relative addresses in a document lead to: files beside it, seen from its folder. */
function linksFrom(path: Path | null): DocumentLinks {
  const targetOf = (address: string): { readonly path: Path; readonly isFolder: boolean } | null => {
    if (path === null) return null
    const folder = new URL(`${encodePath(parentOf(path)).replace(/\/$/, '')}/`, 'https://files.invalid')
    const url = URL.parse(address, folder)
    const target = url === null ? null : pathOf(url.pathname.split('/').map(decodePart).join('/'))
    return target === null ? null : { path: target, isFolder: url?.pathname.endsWith('/') === true }
  }
  return {
    imageOf: (address) => {
      const target = targetOf(address)
      return target && href('raw.get', { path: target.path, query: { inline: true } })
    },
    pageOf: (address) => {
      const target = targetOf(address)
      return target && withBase(filesUrl(target.path, target.isFolder))
    },
    remoteLabel: (host) => t('viewer.remoteImage', { host }),
  }
}
