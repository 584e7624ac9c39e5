import { createPersonalStore } from '../../state/personal.ts'

/**
 * The state of the connection over which the server reports changes. It is `none` before the first connection, and on
 * servers that do not report changes. It is `polling` while requests reach the server and sockets do not, as behind some
 * proxies: the open folder is then fetched again at intervals.
 */
export type ConnectionState = 'none' | 'live' | 'reconnecting' | 'polling' | 'offline'

/** The state of the connection over which the server reports changes of the open folder. */
export const connection = createPersonalStore<ConnectionState>('none')
