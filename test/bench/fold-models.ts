import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shippedModel } from '../../electron/service/finding/model.ts'
import type { Model } from '../../electron/service/finding/model.ts'

const folder = fileURLToPath(new URL('../../node_modules/.cache/sheaf-folds/', import.meta.url))

/**
 * The model that judges a document of a sender: one that never saw the sender where `npm run train` left such models,
 * else the one that is shipped. `areFolded` says whether it left any.
 */
export function foldModels(): { modelFor(group: string): Model; areFolded: boolean } {
  if (!existsSync(`${folder}folds.json`)) return { modelFor: () => shippedModel, areFolded: false }
  const folds = JSON.parse(readFileSync(`${folder}folds.json`, 'utf8')) as Record<string, number>
  const models = new Map<number, Model>()
  const modelOf = (fold: number): Model => {
    const model = models.get(fold) ?? (JSON.parse(readFileSync(`${folder}${fold}.json`, 'utf8')) as Model)
    models.set(fold, model)
    return model
  }
  return {
    modelFor: (group) => (Object.hasOwn(folds, group) ? modelOf(folds[group]!) : shippedModel),
    areFolded: true,
  }
}
