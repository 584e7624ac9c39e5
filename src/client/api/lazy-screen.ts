import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react'
import { CallError } from './call.ts'

/**
 * Time limit for loading the code of a screen (specification 9): 2 minutes, so that a slow mobile connection still
 * succeeds. After this time the load counts as failed.
 */
const timeoutMs = 120_000

/** A screen whose code is loaded when the screen is first shown, or ahead of time by `fetch`. */
export type LazyScreen<P> = {
  readonly Screen: FunctionComponent<P>
  /** Loads the code ahead of time. Never rejects. */
  readonly fetch: () => Promise<void>
}

/** Counts the calls of `retryFailedScreens`. */
let retries = 0

/**
 * Lets screens whose code could not be loaded request it again when they are next rendered. React keeps the failure of a
 * lazy component for as long as the component exists, so these screens get another component.
 */
export function retryFailedScreens(): void {
  retries += 1
}

/** The style sheets that could not be loaded. The events of elements that load something do not bubble. */
const failedSheets = new Set<HTMLLinkElement>()
window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target)
  },
  true,
)

/** Requests the style sheets that could not be loaded again. The bundler requests each style sheet only once. */
function requestFailedSheets(): void {
  for (const link of failedSheets) link.replaceWith(link.cloneNode())
  failedSheets.clear()
}

/**
 * Creates a screen from a function that loads its component. The screen throws when a load and its repetition fail, and
 * when a load takes too long, also if the load began ahead of time. Code that was loaded ahead of time is rendered
 * without Suspense, because React delays the screen by 300 ms even after a short fallback.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let loadedComponent: ComponentType<P> | null = null
  let loading: Promise<ComponentType<P>> | null = null
  /** The value of `retries` when the last load failed. Null when it did not fail. */
  let failedAt: number | null = null
  // A load that failed ahead of time is repeated when the screen is shown.
  const attempt = (): Promise<ComponentType<P>> =>
    load()
      .catch(load)
      .catch(() => {
        loading = null
        throw new CallError(0)
      })
  const request = (): Promise<ComponentType<P>> => {
    if (loading === null) requestFailedSheets()
    loading ??= withTimeout(attempt()).catch(() => {
      failedAt = retries
      throw new CallError(0)
    })
    return loading
  }
  const createLazy = () => lazy(async () => ({ default: await request() }))
  let lazyComponent = createLazy()
  const latestLazy = () => {
    if (failedAt !== null && failedAt < retries) {
      failedAt = null
      loading = null
      lazyComponent = createLazy()
    }
    return lazyComponent
  }
  function Screen(props: P) {
    const [Component] = useState<ComponentType<P>>(() => loadedComponent ?? latestLazy())
    return createElement(Component, props)
  }
  const fetch = async (): Promise<void> => {
    loadedComponent = await request().catch(() => loadedComponent)
  }
  return { Screen, fetch }
}

/** Both a failure and a timeout count as an unreachable server, because browsers do not say why an import failed. */
async function withTimeout<T>(loading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallError(0)), timeoutMs)
  })
  try {
    return await Promise.race([loading, timeout])
  } finally {
    clearTimeout(timer)
  }
}
