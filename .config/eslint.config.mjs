import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'test-results/**', 'release/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: new URL('..', import.meta.url).pathname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      complexity: ['error', 15],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        {
          selector:
            ':matches(ImportDeclaration, ExportNamedDeclaration, ImportExpression) > Literal.source[value=/^\\.{1,2}\\u002F/]:not([value=/\\.(tsx?|css|json|svg)(\\?\\w+)?$/])',
          message: 'Import a file of ours with its ending.',
        },
      ],
      // Control characters are what such a pattern is there to find, in texts that others wrote.
      'no-control-regex': 'off',
      eqeqeq: 'error',
    },
  },
  // Tools that load these ask for a default export.
  { files: ['**/*.config.ts', 'test/helpers/build.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // A describe holds its tests, so its length says nothing.
  { files: ['test/**'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { fetch: 'readonly', process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
)
