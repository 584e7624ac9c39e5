/**
 * The functions of this file are the only ones that give texts to the browser where a script could begin. The page's
 * policy (`require-trusted-types-for`) lets the browser refuse such texts everywhere else. No policy of this file leaves it.
 */

/** The part of trusted types that is used here. The types of the browser do not contain it. */
type TrustedPolicies = {
  readonly createPolicy: (
    name: string,
    rules: {
      readonly createHTML: (markup: string) => string
      readonly createScriptURL: (address: string) => string
    },
  ) => {
    readonly createHTML: (markup: string) => unknown
    readonly createScriptURL: (address: string) => unknown
  }
}

/** The policy in browsers that know trusted types. Others accept plain texts. */
const policy = (globalThis as { readonly trustedTypes?: TrustedPolicies }).trustedTypes?.createPolicy(
  'stowage',
  {
    createHTML: (markup) => markup,
    createScriptURL: (address) => {
      if (new URL(address, document.baseURI).origin !== location.origin)
        throw new TypeError('A worker of another server is not started.')
      return address
    },
  },
)

/** Starts a worker, which is a module of this program. `address` comes from an import with `?worker&url`. */
export const startWorker = (address: string): Worker =>
  new Worker((policy?.createScriptURL(address) ?? address) as string, { type: 'module' })

/** Registers the service worker at an address for all pages below a path. */
export const registerServiceWorker = (address: string, scope: string): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register((policy?.createScriptURL(address) ?? address) as string, { scope })

/**
 * Parses markup to a document that belongs to no window, so that nothing in it runs or is loaded. Its nodes must be
 * cleaned before they come into the page.
 */
export const parseInert = (markup: string, type: 'application/xml' | 'text/html'): Document =>
  new DOMParser().parseFromString((policy?.createHTML(markup) ?? markup) as string, type)
