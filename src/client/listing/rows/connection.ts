import { createPersonalStore } from '../../state/personal.ts'

/**
 * The state of the connection over which the server reports changes. It is `none` before the first connection, and on
 * servers that do not report changes.
 */
export type ConnectionState = 'none' | 'live' | 'reconnecting' | 'offline'

/** The state of the connection over which the server reports changes of the open folder. */
export const connection = createPersonalStore<ConnectionState>('none')
