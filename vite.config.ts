import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pdfFiles } from './scripts/pdf-files.ts'
import { splitCatalogue } from './scripts/split-catalogue.ts'

/** Libraries that every screen needs. They form a separate chunk, which stays cached when our code changes. */
const sharedLibraries = /\/node_modules\/(react|react-dom|scheduler|@lingui)\//

/** Modules that every screen needs. One chunk compresses better than a chunk for each combination of lazy screens. */
const baseModules =
  /\/src\/(shared\/(contract\/routes|domain\/(path|name-bytes))|client\/(api\/(config|href|use-when-reachable)|router\/(router|location|entry-memory|use-location)|state\/(session|personal|store)|ui\/(banner|class-names|credits|icon|icon-button|spinner|icons\/first-icons)))(\.module\.css|\.tsx?)$/

/** Modules that the listing and the page of a share need. That page loads nothing else of the listing. */
const sharedPageModules =
  /\/src\/(shared\/domain\/(archive-names|names|file-types)|client\/(i18n\/format|router\/link|ui\/(file-name|file-picture|glyphs\/[\w-]+|kind-word)))(\.module\.css|\.tsx?)$/

/** Modules that the first rows and several lazy screens need, for the same reason. */
const listingModules =
  /\/src\/(shared\/domain\/(archive-names|sorting|names|file-types|ndjson-reader)|client\/(actions\/[\w/-]+|i18n\/format|listing\/rows\/(row-stream|columns|column-writes|folder-loader|folder-rows|folder-cache|carry-selection|fold-name|row-editor|own-changes|column-changes)|listing\/sizes\/(tile-size|column-widths)|listing\/grid\/(list-filter|geometry|focus-moves|type-ahead)|operations\/(download|pick-files|upload-picked)|features\/files\/(keyboard\/list-keys|open-folder\/(action-context|folder-loader|quick-look-state))|state\/(selection|context-menu|row-failures|row-set|prompt|notices|open-folder|pins|search|slots|clipboard|recent-folders|device\/(density|sidebar|key-preferences)|panels\/shell)|ui\/(file-name|menu-button|keys|file-picture|glyphs\/[\w-]+|kind-word|slot|use-media)|router\/link))(\.module\.css|\.tsx?)$/

/** Builds the client. Relative URLs let the same build be served under any base path. */
export default defineConfig({
  root: fileURLToPath(new URL('src/client', import.meta.url)),
  base: './',
  plugins: [lingui(), splitCatalogue, pdfFiles, react({ compiler: true })],
  css: { transformer: 'lightningcss', modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../../dist/client',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    // The check of bundle sizes reads the manifest. It is not served.
    manifest: true,
    sourcemap: false,
    target: 'es2022',
    // These browsers support `light-dark`, so that no fallback is generated for it.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', test: sharedLibraries },
            { name: 'base', test: baseModules },
            { name: 'names', test: sharedPageModules },
            { name: 'listing', test: listingModules },
          ],
        },
      },
    },
  },
})
