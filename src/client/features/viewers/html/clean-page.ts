import purifier from 'dompurify'
import { breakLongWords } from '../markup/long-words.ts'
import { parseHtml } from '../markup/parse-markup.ts'
import { TooComplexError } from '../markup/too-complex-error.ts'

/** The attributes with addresses. Everything else that names a server belongs to elements that are removed. */
const addresses = [
  'action',
  'background',
  'cite',
  'formaction',
  'href',
  'poster',
  'src',
  'srcset',
  'xlink:href',
]

/** The addresses that lead to nothing outside of the document: places in it, and images inside of it. */
const ownAddress = /^(#|data:image\/(avif|gif|jpe?g|png|webp)[;,])/i

/**
 * Removes from an HTML document what runs, and every address of something outside of the document: frames, links to style
 * sheets and to other pages, images, and hints to connect to a server. The policy of the page does not cover the hints.
 * Returns null for a document that would keep the browser busy for seconds.
 */
export function cleanPage(text: string): string | null {
  try {
    const { body, documentElement } = parseHtml(text)
    removeAddresses(body)
    const frame = body.ownerDocument.createElement('div')
    frame.dir = body.dir || documentElement.dir || 'auto'
    frame.lang = body.lang || documentElement.lang
    frame.append(...body.childNodes)
    breakLongWords(frame)
    // In browsers with trusted types, the result is an object that `srcdoc` accepts.
    const cleaned: unknown = purifier.sanitize(frame, {
      USE_PROFILES: { html: true, svg: true },
      FORBID_TAGS: ['style', 'use', 'image', 'feimage', 'audio', 'video', 'picture', 'source', 'track'],
      FORBID_ATTR: ['style', 'srcset'],
      RETURN_TRUSTED_TYPE: true,
    })
    return cleaned as string
  } catch (error) {
    if (error instanceof TooComplexError) return null
    throw error
  }
}

function removeAddresses(body: HTMLElement): void {
  for (const element of body.querySelectorAll('*')) {
    const foreign = addresses.filter((name) => !ownAddress.test(element.getAttribute(name) ?? '#'))
    for (const name of foreign) element.removeAttribute(name)
  }
}
