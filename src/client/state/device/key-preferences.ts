import { createDeviceStore } from './device-store.ts'

/**
 * True when keys that type a punctuation mark, such as `?`, run actions without a modifier. Users of speech input can
 * switch these keys off.
 */
export const signKeys = createDeviceStore<'on' | 'off'>('sign-keys', 'on', ['on', 'off'])

/**
 * True when single letters run actions. They are off by default, because letters jump to names in the list.
 */
export const letterKeys = createDeviceStore<'on' | 'off'>('letter-keys', 'off', ['on', 'off'])
