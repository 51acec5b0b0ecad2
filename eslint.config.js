import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

// Biome does the everyday linting. Here are only the rules that need types, and one that keeps files small.
export default defineConfig(
  { ignores: ['**/dist/**', '**/out/**', '**/coverage/**', '**/reports/**', '**/.stryker-tmp/**'] },
  {
    files: ['packages/*/{src,sim,test,bench}/**/*.ts', 'examples/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-deprecated': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['packages/*/{src,sim}/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    rules: { 'max-lines': ['error', { max: 250 }] },
  },
)
