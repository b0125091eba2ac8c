// What is looked for in the sources beyond types: mistakes that compile. How they are laid out is Prettier's alone.
import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { defineConfig, globalIgnores } from 'eslint/config'
import globals from 'globals'
import ts from 'typescript-eslint'

import svelteConfig from './svelte.config.js'

export default defineConfig(
    globalIgnores(['**/schema.ts']),
    js.configs.recommended,
    ts.configs.recommendedTypeChecked,
    svelte.configs.recommended,
    svelte.configs.prettier,
    {
        languageOptions: {
            globals: globals.browser,
            parserOptions: { projectService: { allowDefaultProject: ['*.js'] }, extraFileExtensions: ['.svelte'] },
        },
    },
    { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } } },
    {
        files: ['**/*.svelte'],
        rules: {
            // To this parser another component's properties are `any`; svelte-check knows their types.
            '@typescript-eslint/no-unsafe-argument': 'off',
            '@typescript-eslint/no-unsafe-assignment': 'off',
            '@typescript-eslint/no-unsafe-call': 'off',
            '@typescript-eslint/no-unsafe-member-access': 'off',
            '@typescript-eslint/no-unsafe-return': 'off',
            '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_$' }],
            // A space that must stay is written {' '}.
            'svelte/no-useless-mustaches': 'off',
            // Inside a function a plain Map or Set is what is meant.
            'svelte/prefer-svelte-reactivity': 'off',
        },
    },
)
