import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { splitCatalogue } from './scripts/split-catalogue.ts'

/** Libraries that every screen needs. They form a separate chunk, which stays cached when our code changes. */
const sharedLibraries = /\/node_modules\/(react|react-dom|scheduler|@lingui)\//

/** Builds the client. Relative URLs let the same build be served under any base path. */
export default defineConfig({
  root: fileURLToPath(new URL('src/client', import.meta.url)),
  base: './',
  plugins: [lingui(), splitCatalogue, react({ compiler: true })],
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
        codeSplitting: { groups: [{ name: 'react', test: sharedLibraries }] },
      },
    },
  },
})
