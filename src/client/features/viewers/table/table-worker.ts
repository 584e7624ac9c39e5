import type { TableCommand } from './table-messages.ts'
import { createTableSession } from './table-session.ts'

const answer = createTableSession((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<TableCommand>) => answer(data))
