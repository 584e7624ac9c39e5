import type { MarkdownCommand, MarkdownReply } from './markdown-messages.ts'
import { type HtmlPart, readMarkdown } from './read-markdown.ts'

let parts: Iterator<HtmlPart> | null = null

const reply = (message: MarkdownReply): void => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<MarkdownCommand>) => {
  try {
    if (data.kind === 'open') parts = readMarkdown(data.source)
    const part = parts?.next()
    reply(part === undefined || part.done === true ? { kind: 'end' } : { kind: 'part', part: part.value })
  } catch {
    reply({ kind: 'too-complex' })
  }
})
reply({ kind: 'ready' })
