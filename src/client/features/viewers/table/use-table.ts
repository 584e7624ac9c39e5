import { useCallback, useEffect, useState } from 'react'
import type { TextViewProps } from '../rows/text-source.ts'
import { useWorker } from '../rows/use-worker.ts'
import tableWorker from './table-worker.ts?worker&url'
import type { TableArrangement } from './arrange-rows.ts'
import type {
  ColumnLayout,
  TableCommand,
  TableContent,
  TableFormat,
  TableMessage,
  TableWindow,
} from './table-messages.ts'

type TableInput = TextViewProps & { readonly format: TableFormat }

type OpenTable = {
  /** Null until the first rows have been read. */
  readonly content: TableContent | null
  readonly layout: ColumnLayout
  /** True while the rows are sorted and filtered. */
  readonly isArranging: boolean
  /** Tells the worker which part of the table is rendered. */
  readonly show: (window: TableWindow) => void
}

/** Opens a table in a worker as long as the component is mounted, and updates it when the text or the arrangement changes. */
export function useTable(
  { name, source, format, onBroken }: TableInput,
  arrangement: TableArrangement,
): OpenTable {
  const [content, setContent] = useState<TableContent | null>(null)
  const [layout, setLayout] = useState<ColumnLayout>({ widths: [], fitted: [] })
  const [arranged, setArranged] = useState<TableArrangement>(arrangement)
  const broken = (): void => onBroken?.()
  const send: (command: TableCommand) => void = useWorker(tableWorker, {
    onReply: (reply) => {
      const message = reply as TableMessage
      if (message.kind === 'failed') broken()
      else if (message.kind === 'layout') setLayout(message)
      else {
        setContent(message.content)
        setArranged(message.content.arrangement)
      }
    },
    onBroken: broken,
  })
  const { kind, value } = source
  const { delimiter, encoding } = format
  useEffect(
    () => send({ kind: 'open', source: { kind, value }, name, format: { delimiter, encoding } }),
    [send, kind, value, name, delimiter, encoding],
  )
  const { order, filter, hasHeader } = arrangement
  useEffect(
    () => send({ kind: 'arrange', arrangement: { order, filter, hasHeader } }),
    [send, order, filter, hasHeader],
  )
  const show = useCallback((window: TableWindow) => send({ kind: 'show', window }), [send])
  const isArranging =
    arranged.filter !== filter ||
    arranged.order?.column !== order?.column ||
    arranged.order?.isDescending !== order?.isDescending
  return { content, layout, isArranging, show }
}
