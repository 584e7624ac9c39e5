import type { HtmlPart } from './read-markdown.ts'

/** A message from the page to the worker that reads a document. Each one is answered by the next part. */
export type MarkdownCommand = { readonly kind: 'open'; readonly source: string } | { readonly kind: 'next' }

/** A message from the worker to the page. The worker sends `ready` once, when its code is loaded. */
export type MarkdownReply =
  | { readonly kind: 'ready' | 'end' | 'too-complex' }
  | { readonly kind: 'part'; readonly part: HtmlPart }
