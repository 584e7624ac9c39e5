import { commands } from 'vitest/browser'

/*
 * Gives the page of the tests the configuration that the server of the worker writes into its own page. It runs before the files of
 * the tests are loaded, because modules read the configuration when they are loaded.
 */
if (document.querySelector('#config') === null) {
  const { basePath } = await commands.serverOfWorker()
  const served = new DOMParser().parseFromString(await (await fetch(`${basePath}/login`)).text(), 'text/html')
  document.head.append(served.querySelector('#config') ?? '')
}
