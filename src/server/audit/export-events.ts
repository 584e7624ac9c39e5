import type { AuditFilter, AuditStore } from '../records/audit-store.ts'
import { auditLine, csvHeader, csvRow } from './audit-line.ts'

const exportFormats = ['csv', 'jsonl'] as const
type ExportFormat = (typeof exportFormats)[number]

/** Returns true for the name of a format in which events can be exported. */
export const isExportFormat = (name: string): name is ExportFormat =>
  exportFormats.some((format) => format === name)

/** The number of events in one chunk of an export, unless the size of the events makes the store return fewer. */
const eventsPerChunk = 1000

type ExportOptions = {
  readonly filter: AuditFilter
  readonly format: ExportFormat
  readonly signal: AbortSignal
  /** Rejects when the caller may no longer read the events. An export can take minutes, and a slow client makes it longer. */
  readonly recheck: () => Promise<void>
}

/** Yields all events that match a filter, the newest first, until the signal aborts or the caller has lost the permission. */
export async function* eventChunks(
  audit: Pick<AuditStore, 'find'>,
  { filter, format, signal, recheck }: ExportOptions,
): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield Buffer.from(csvHeader)
  let beforeId: number | null = null
  do {
    signal.throwIfAborted()
    await recheck()
    const { events, next } = await audit.find(filter, { beforeId, maxEvents: eventsPerChunk })
    const rows = events.map((event) => (format === 'csv' ? csvRow(event) : `${auditLine(event)}\n`))
    if (rows.length > 0) yield Buffer.from(rows.join(''))
    beforeId = next
  } while (beforeId !== null)
}
