import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Libraries that every screen needs, so that they are fetched once and stay cached when our own code changes. */
const always = /\/node_modules\/(react|react-dom|scheduler|@lingui)\//

/** The client: relative addresses, so that one build serves under any base path. */
export default defineConfig({
  root: fileURLToPath(new URL('src/client', import.meta.url)),
  base: './',
  plugins: [lingui(), react({ compiler: true })],
  css: { transformer: 'lightningcss', modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../../dist/client',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    // The page's size is measured from it; it is not served.
    manifest: true,
    sourcemap: false,
    target: 'es2022',
    // Browsers that know `light-dark`, so that no stand-in for it is written.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'react', test: always }] },
      },
    },
  },
})
