import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/**
 * Tests of the window that run on real Electron as well (run-desktop.ts). Left out is what only a browser has or does:
 * several windows of one program, its WebSocket, downloads, the clipboard's reading, folders chosen in the window; in
 * these files it has the tag `@browser`. What is for a night is left out, too.
 */
export default defineConfig({
  ...config,
  outputDir: fileURLToPath(new URL('../../test-results/desktop', import.meta.url)),
  testMatch: [
    'document-list',
    'files',
    'frame',
    'page-view',
    'palette',
    'review',
    'review-doubts',
    'review-keys',
    'schema-try',
    'schema-unsaved',
    'schema-versions',
  ].map((name) => `**/${name}.spec.ts`),
  grepInvert: /@(night|browser)/,
  // Windows of a system ask for the keyboard one after the other.
  workers: 1,
})
