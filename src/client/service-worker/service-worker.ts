import { offerPath } from '../../shared/domain/device/offered-files.ts'
import { isScreenName } from '../router/screens.ts'
import { dropOldOffer, keepOffer } from './offers.ts'

/**
 * The service worker of an installation. It lets the page start without a network, and it takes files that other apps of the
 * device offer. It keeps the page, which is the same for everybody, and files of the client build, whose names contain a
 * hash of their content. It never keeps responses of the API, so nothing of a user is in its caches. The page works without it:
 * browsers have service workers on secure origins only.
 */
declare const self: ServiceWorkerGlobalScope

const base = new URL(self.registration.scope).pathname.replace(/\/$/, '')
const assetsUrl = new URL('assets/', self.location.href).href
const [pageCacheName, assetCacheName] = [`stowage-page ${base}/`, `stowage-assets ${base}/`]

/**
 * The largest number of kept files of the client build. One version has about 330, of which a user loads at most half, so
 * the files of the version before stay for tabs that are still open after an update.
 */
const maxAssets = 400

/** The types of the files of the client build. A proxy may answer with its own page instead, such as a login. */
const assetTypes =
  /^(?:text\/(?:javascript|css)|application\/(?:javascript|json|wasm|pdf|octet-stream)|(?:font|image)\/)/

self.addEventListener('install', (event) => {
  // Nothing depends on the version of the worker: the page comes from the network, and names of its files are unique.
  void self.skipWaiting()
  // Requests of the API then do not wait until the browser has started the worker, which it ends after half a minute.
  const { addRoutes } = event as InstallEventWithRoutes
  const api = { condition: { urlPattern: `${self.location.origin}${base}/api/*` }, source: 'network' }
  event.waitUntil(Promise.all([fetch(`${base}/`).then(savePage), addRoutes?.call(event, api)]))
})

/** Browsers with static routes have this method; the library of TypeScript does not. */
type InstallEventWithRoutes = ExtendableEvent & { readonly addRoutes?: (route: object) => Promise<void> }

self.addEventListener('activate', (event) => {
  const preload = self.registration.navigationPreload?.enable()
  event.waitUntil(Promise.all([preload, self.clients.claim(), dropOldOffer(base)]))
})

/** A page sends the addresses of the files that it has loaded, since it has loaded the first ones without the worker. */
self.addEventListener('message', (event) => event.waitUntil(keepAssets(event.data)))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (request.method === 'POST' && url.pathname === base + offerPath)
    event.respondWith(keepOffer(base, request))
  else if (request.method !== 'GET') return
  else if (request.mode === 'navigate') {
    if (isPage(url)) event.respondWith(pageOf(event))
  } else if (isAssetAddress(url.href)) event.respondWith(assetOf(event))
})

/** Returns true for the address of a screen. Other apps may have addresses on the same origin, even below the base path. */
function isPage({ pathname }: URL): boolean {
  if (!pathname.startsWith(`${base}/`)) return false
  const [screen = ''] = pathname.slice(base.length + 1).split('/')
  return screen === '' ? pathname === `${base}/` : isScreenName(screen)
}

/** Returns true for the address of a file of the client build. These addresses have no query, with which anybody could fill the cache. */
const isAssetAddress = (address: string): boolean => address.startsWith(assetsUrl) && !address.includes('?')

/** Returns the page from the network, or the kept page when the server cannot be reached. */
async function pageOf(event: FetchEvent): Promise<Response> {
  try {
    const response: Response = (await event.preloadResponse) ?? (await fetch(event.request))
    event.waitUntil(savePage(response.clone()))
    return response
  } catch {
    return (await caches.match(`${base}/`, { cacheName: pageCacheName })) ?? Response.error()
  }
}

/** Keeps a page when it is ours and has changed. A proxy or another app may answer with a page of its own. */
async function savePage(response: Response): Promise<void> {
  if (!response.ok || response.redirected || !typeOf(response).startsWith('text/html')) return
  const text = await response.clone().text()
  if (!isOurPage(text)) return
  const cache = await caches.open(pageCacheName)
  const kept = await cache.match(`${base}/`)
  if ((await kept?.text()) !== text) await cache.put(`${base}/`, response)
}

/** Returns true for a page with the configuration of this installation. */
function isOurPage(html: string): boolean {
  const [, json = ''] = /<script\b[^>]*\bid="config"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  try {
    const { BaseURL } = JSON.parse(json) as { readonly BaseURL?: unknown }
    return typeof BaseURL === 'string' && new URL(`${BaseURL}/`, self.location.href).pathname === `${base}/`
  } catch {
    return false
  }
}

const typeOf = ({ headers }: Response): string => headers.get('content-type') ?? ''

/** Returns a kept file of the client build, or the response of the network, which is then kept. */
async function assetOf(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(assetCacheName)
  const kept = await cache.match(event.request, { ignoreVary: true })
  if (kept !== undefined && isAsset(kept)) return kept
  const response = await fetch(event.request)
  event.waitUntil(keepAsset(cache, event.request.url, response.clone()))
  return response
}

/** Keeps a response when it is a file of the client build, and otherwise drops what is kept at its address. */
const keepAsset = (cache: Cache, address: string, response: Response): Promise<unknown> =>
  isAsset(response) ? cache.put(address, response) : cache.delete(address, { ignoreVary: true })

const isAsset = (response: Response): boolean =>
  response.status === 200 && !response.redirected && assetTypes.test(typeOf(response))

/** Keeps the files of the client build at the given addresses, and drops those that were kept first when there are too many. */
async function keepAssets(addresses: unknown): Promise<void> {
  if (!Array.isArray(addresses)) return
  const cache = await caches.open(assetCacheName)
  for (const address of addresses) {
    if (typeof address !== 'string' || !isAssetAddress(address)) continue
    const kept = await cache.match(address, { ignoreVary: true })
    if (kept !== undefined && isAsset(kept)) continue
    const response = await fetch(address).catch(() => null)
    if (response !== null) await keepAsset(cache, address, response)
  }
  const kept = await cache.keys()
  for (const request of kept.slice(0, -maxAssets)) await cache.delete(request)
}
