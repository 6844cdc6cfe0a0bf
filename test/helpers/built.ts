import { fileURLToPath } from 'node:url'

const built = (name: string): string => fileURLToPath(new URL(`../../dist/${name}.mjs`, import.meta.url))

/** What runs in the product's threads and as its service, as build.ts has built it from the source. */
export const readingWorker = built('reading-worker')
export const serviceWorker = built('service-worker')
export const serviceProgram = built('service')
