import { createStore } from '../state/store.ts'
import { CallError } from './call.ts'

/**
 * The error of the latest login, signup or renewal if the server refused the address under which the browser opened the
 * page, or null. The login screen explains it in place of the form, because no password changes it.
 */
export const addressRefusal = createStore<CallError | null>(null)

/** Waits for a login, a signup or a renewal, and notes whether the server refuses the address of the page. */
export async function noteRefusal<T>(calling: Promise<T>): Promise<T> {
  try {
    const result = await calling
    addressRefusal.set(null)
    return result
  } catch (thrown) {
    addressRefusal.set(isAddressRefusal(thrown) ? thrown : null)
    throw thrown
  }
}

const isAddressRefusal = (thrown: unknown): thrown is CallError =>
  thrown instanceof CallError && (thrown.code === 'foreign-origin' || thrown.code === 'unknown-host')
