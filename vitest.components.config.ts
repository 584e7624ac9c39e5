import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { buildTexts } from './scripts/texts/texts-plugin.ts'
import { browserArguments, browserPath } from './test/kit/browser.ts'
import { breakRequests, mendRequests } from './test/components/broken-requests.ts'
import { chooseNext } from './test/components/choose-next.ts'
import { logInElsewhere } from './test/components/log-in-elsewhere.ts'
import { addFiles, serverOfWorker, serverProxy } from './test/components/worker-servers.ts'

/** The tests run the build of React that users get. The one for development takes 15 % more processor time. */
process.env['NODE_ENV'] = 'production'

/** The texts as the build divides and numbers them, in English alone: a page of a test loads no files of other languages. */
const englishTexts: Plugin = { ...buildTexts(), apply: 'serve', buildStart() {} }

/**
 * The component tests: files `*.test.tsx` beside the components, which run in the browser against a real server. They are
 * in a configuration of their own, because the other suites would load a browser and a bundler that they do not need.
 */
export default defineConfig({
  plugins: [englishTexts, serverProxy, react({ compiler: true })],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  // Dependencies that Vite finds late would reload the page in the middle of a test.
  optimizeDeps: {
    include: [
      'react',
      'react/compiler-runtime',
      'react/jsx-runtime',
      'react-dom',
      'react-dom/client',
      'react-aria-components/Autocomplete',
      'react-aria-components/Dialog',
      'react-aria-components/Heading',
      'react-aria-components/I18nProvider',
      'react-aria-components/ListBox',
      'react-aria-components/Menu',
      'react-aria-components/Modal',
      'react-aria-components/SearchField',
      '@tanstack/react-query',
      'axe-core',
      'dompurify',
      'lucide',
      'marked',
      'papaparse',
      'pdfjs-dist',
      'three',
      'three/examples/jsm/controls/OrbitControls.js',
      'three/examples/jsm/loaders/GLTFLoader.js',
      'three/examples/jsm/loaders/OBJLoader.js',
      'three/examples/jsm/loaders/STLLoader.js',
      'uqr',
    ],
  },
  test: {
    name: 'components',
    include: ['src/client/**/*.test.tsx'],
    setupFiles: ['test/components/page-configuration.tsx'],
    retry: 1,
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      commands: { addFiles, breakRequests, chooseNext, logInElsewhere, mendRequests, serverOfWorker },
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions: { executablePath: browserPath(), args: browserArguments() },
        contextOptions: { locale: 'en-US' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
