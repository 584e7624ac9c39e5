import { config } from '../../api/config.ts'
import { registerServiceWorker } from '../../api/trusted-sinks.ts'
import { askAboutOfferedFiles, storePerson } from './offered-files.ts'

/**
 * Asks the user with an id about files that another app of the device has offered. Then registers the service worker, which takes such files and
 * lets the page start without a network. Does nothing on origins that are not secure, where browsers have no service
 * workers, and nothing depends on it.
 */
export function startServiceWorker(userId: number): void {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (workers !== undefined) void start(workers, userId).catch(() => undefined)
}

async function start(workers: ServiceWorkerContainer, userId: number): Promise<void> {
  await storePerson(userId).catch(() => undefined)
  await askAboutOfferedFiles()
  const { BaseURL, StaticURL } = config()
  await registerServiceWorker(`${StaticURL}/service-worker.js`, `${BaseURL}/`)
  const { active } = await workers.ready
  // The first files were loaded before the worker could see them.
  active?.postMessage(
    performance.getEntriesByType('resource').map(({ name }) => name),
    [],
  )
}
