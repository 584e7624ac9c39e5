import {
  maxOfferedFiles,
  offerCacheName,
  offerField,
  offerNameHeader,
  offerPath,
  offerTimeHeader,
} from '../../shared/domain/device/offered-files.ts'

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
const offerCache = offerCacheName(base)

/**
 * The largest number of kept files of the client build. One version has about 330, of which a user loads at most half, so
 * the files of the version before stay for tabs that are still open after an update.
 */
const maxAssets = 400

/** The paths below the base path that are not answered with the page. */
const otherPaths = ['/api/', '/static/', '/health', '/metrics']

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
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]))
})

/** A page sends the addresses of the files that it has loaded, since it has loaded the first ones without the worker. */
self.addEventListener('message', (event) => event.waitUntil(keepAssets(event.data)))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (request.method === 'POST' && url.pathname === base + offerPath) event.respondWith(keepOffer(request))
  else if (request.method !== 'GET') return
  else if (request.mode === 'navigate' && isPage(url)) event.respondWith(pageOf(event))
  else if (url.href.startsWith(assetsUrl)) event.respondWith(assetOf(event))
})

const isPage = ({ pathname }: URL): boolean =>
  pathname.startsWith(`${base}/`) &&
  !otherPaths.some((other) => pathname.slice(base.length).startsWith(other))

/** Returns the page from the network, or the kept page when the server cannot be reached. */
async function pageOf(event: FetchEvent): Promise<Response> {
  try {
    const response: Response = (await event.preloadResponse) ?? (await fetch(event.request))
    if (response.ok && !response.redirected) event.waitUntil(savePage(response.clone()))
    return response
  } catch {
    return (await caches.match(`${base}/`, { cacheName: pageCacheName })) ?? Response.error()
  }
}

/** Keeps a page when it is ours and has changed. A proxy may answer with its own page, such as a login. */
async function savePage(response: Response): Promise<void> {
  const cache = await caches.open(pageCacheName)
  const text = await response.clone().text()
  if (!text.includes('id="config"')) return
  const kept = await cache.match(`${base}/`)
  if ((await kept?.text()) !== text) await cache.put(`${base}/`, response)
}

/** Returns a kept file of the client build, or the file from the network, which is then kept. */
async function assetOf(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(assetCacheName)
  const kept = await cache.match(event.request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(event.request)
  if (response.ok) event.waitUntil(cache.put(event.request, response.clone()))
  return response
}

/** Keeps the files of the client build at the given addresses, and drops those that were kept first when there are too many. */
async function keepAssets(addresses: unknown): Promise<void> {
  if (!Array.isArray(addresses)) return
  const cache = await caches.open(assetCacheName)
  for (const address of addresses) {
    if (typeof address !== 'string' || !address.startsWith(assetsUrl)) continue
    if ((await cache.match(address, { ignoreVary: true })) !== undefined) continue
    await cache.add(address).catch(() => undefined)
  }
  const kept = await cache.keys()
  for (const request of kept.slice(0, -maxAssets)) await cache.delete(request)
}

/**
 * Keeps the files of an offer until the page asks the user about them, and opens the page. A foreign web page can make an offer,
 * too, so nothing is uploaded without an answer. An offer for which the device has no room opens the page alone.
 */
async function keepOffer(request: Request): Promise<Response> {
  await caches.delete(offerCache)
  try {
    const form = await request.formData()
    const files = form.getAll(offerField).filter((value) => value instanceof File)
    const cache = await caches.open(offerCache)
    for (const [index, file] of files.slice(0, maxOfferedFiles).entries())
      await cache.put(`${base}${offerPath}/${index}`, keptFile(file))
  } catch {
    await caches.delete(offerCache)
  }
  return Response.redirect(`${base}/files/`, 303)
}

const keptFile = (file: File): Response =>
  new Response(file, {
    headers: {
      'content-type': file.type || 'application/octet-stream',
      [offerNameHeader]: encodeURIComponent(file.name.toWellFormed()),
      [offerTimeHeader]: String(Date.now()),
    },
  })
