import { useEffect, useState } from 'react'
import { copyAndNotify } from '../../../operations/copying/copy-and-notify.ts'
import type { TextViewProps } from '../rows/text-source.ts'
import { useWorker } from '../rows/use-worker.ts'
import jsonWorker from './json-worker.ts?worker&url'
import type { JsonCommand, JsonContent, JsonMessage } from './json-messages.ts'

type OpenJson = {
  /** Null until the text has been read. */
  readonly content: JsonContent | null
  readonly send: (command: JsonCommand) => void
}

/** Opens a JSON text in a worker as long as the component is mounted, and follows the text. */
export function useJson({ name, source, onBroken }: TextViewProps): OpenJson {
  const [content, setContent] = useState<JsonContent | null>(null)
  const broken = (): void => onBroken?.()
  const send: OpenJson['send'] = useWorker(jsonWorker, {
    onReply: (reply) => {
      const message = reply as JsonMessage
      if (message.kind === 'failed') broken()
      else if (message.kind === 'copied') void copyAndNotify(message.text)
      else setContent(message.content)
    },
    onBroken: broken,
  })
  const { kind, value } = source
  useEffect(() => send({ kind: 'open', source: { kind, value }, name }), [send, kind, value, name])
  return { content, send }
}
