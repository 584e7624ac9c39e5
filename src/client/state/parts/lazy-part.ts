import {
  createElement,
  type ComponentType,
  type FunctionComponent,
  startTransition,
  useLayoutEffect,
  useState,
} from 'react'
import { PartLoadError } from './part-load-error.ts'
import { loadingTexts } from './text-loading.ts'

/**
 * Time limit for loading the code of a part (specification 9): 2 minutes, so that a slow mobile connection still
 * succeeds. After this time the load counts as failed.
 */
const timeoutMs = 120_000

/** A part of the page whose code is loaded when the part is first shown, or ahead of time by `fetch`. */
export type LazyPart<P> = {
  readonly Part: FunctionComponent<P>
  /** Loads the code ahead of time. Never rejects. */
  readonly fetch: () => Promise<void>
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
 * Creates a part of the page from a function that loads its component. Until the component is there, `Fallback` is shown,
 * or nothing. The part throws a `PartLoadError` when a load and its repetition fail, and when a load takes too long. It
 * loads its code again when it is rendered anew.
 *
 * The part is shown as soon as its code has arrived. `lazy` of React would suspend it, and React shows what was suspended
 * up to 300 ms after its fallback, for each of several parts inside each other.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Fallback?: ComponentType,
): LazyPart<P> {
  let loaded: ComponentType<P> | null = null
  let loading: Promise<void> | null = null
  const attempt = async (): Promise<void> => {
    const component = await load().catch(load)
    // Without the texts of its language, the part would be shown in English first.
    const texts = loadingTexts()
    if (texts !== null) await texts
    loaded = component
  }
  const request = (): Promise<void> => {
    if (loading !== null) return loading
    requestFailedSheets()
    // A load that failed ahead of time is repeated when the part is shown. When a load took too long, the part fails.
    const mine = withTimeout(
      attempt().catch((cause: unknown) => {
        if (loading === mine) loading = null
        throw new PartLoadError(cause)
      }),
    )
    loading = mine
    return mine
  }
  function Part(props: P) {
    const [component, setComponent] = useState(() => loaded)
    const [failure, setFailure] = useState<PartLoadError | null>(null)
    const isMissing = component === null
    useLayoutEffect(() => {
      if (!isMissing) return
      const mine = request()
      mine.then(
        // Rendering the part may be interrupted, so that it does not delay rows that are arriving and keys that are pressed.
        () => startTransition(() => setComponent(() => loaded)),
        (thrown: PartLoadError) => {
          if (loading === mine) loading = null
          setFailure(thrown)
        },
      )
    }, [isMissing])
    if (component !== null) return createElement(component, props)
    if (failure !== null) throw failure
    return Fallback ? createElement(Fallback) : null
  }
  return { Part, fetch: () => request().catch(() => undefined) }
}

async function withTimeout<T>(loading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PartLoadError()), timeoutMs)
  })
  try {
    return await Promise.race([loading, timeout])
  } finally {
    clearTimeout(timer)
  }
}
