import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { importIconsDirectly } from './scripts/direct-icons.ts'
import { chunkGroups, findScreenChunks } from './scripts/screen-chunks.ts'
import { pdfFiles } from './scripts/pdf-files.ts'
import { buildTexts } from './scripts/texts/texts-plugin.ts'

/** Builds the client. Relative URLs let the same build be served under any base path. */
export default defineConfig({
  root: fileURLToPath(new URL('src/client', import.meta.url)),
  base: './',
  plugins: [buildTexts(), importIconsDirectly, findScreenChunks, pdfFiles, react({ compiler: true })],
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
          groups: chunkGroups,
        },
      },
    },
  },
})
