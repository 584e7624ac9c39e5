import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { CallError } from '../api/call.ts'

/** How long a screen's code may take to come (specification 9). */
const mostMs = 120_000

/** A screen whose code is fetched when it is shown. One failed attempt is repeated; then the error screen has a retry. */
export function lazyScreen<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await inTime(load().catch(load)) }))
}

async function inTime<T>(coming: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallError(0)), mostMs)
  })
  try {
    return await Promise.race([coming, late])
  } catch {
    throw new CallError(0)
  } finally {
    clearTimeout(timer)
  }
}
