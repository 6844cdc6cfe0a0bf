import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const outDir = fileURLToPath(new URL('../dist/renderer', import.meta.url))

/** Fonts, character maps and decoders that pdf.js fetches while it draws a page; all from our own origin. */
function pdfResources(): Plugin {
  return {
    name: 'sheaf-pdf-resources',
    apply: 'build',
    closeBundle() {
      const source = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
      for (const folder of ['cmaps', 'standard_fonts', 'wasm']) {
        cpSync(join(source, folder), join(outDir, 'pdfjs', folder), {
          recursive: true,
          // The content security policy forbids WebAssembly in the window, so only the plain decoders are needed.
          filter: (path) => !path.endsWith('.wasm') && !path.includes('quickjs'),
        })
      }
    },
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react(), pdfResources()],
  build: {
    outDir,
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // Data URLs and inline scripts are what the content security policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    // Not every static server knows the type of .mjs files.
    rollupOptions: {
      output: {
        assetFileNames: (asset) =>
          asset.names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]',
      },
    },
  },
})
