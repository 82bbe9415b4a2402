import {
  type BrandVariants,
  createDarkTheme,
  createLightTheme,
  type Theme,
  teamsHighContrastTheme,
} from "@fluentui/react-components";

/** The one accent: ink blue. Every other colour on a page is a status (screens, house style). */
const ink: BrandVariants = {
  10: "#04090e",
  20: "#0c1a26",
  30: "#122a3e",
  40: "#163751",
  50: "#1a4565",
  60: "#1e537a",
  70: "#23628f",
  80: "#2a70a2",
  90: "#4282b3",
  100: "#5a94c1",
  110: "#71a5cf",
  120: "#89b7dc",
  130: "#a0c8e8",
  140: "#b8d8f2",
  150: "#d0e6f9",
  160: "#e8f3fd",
};

// System fonts only (operator-ux §5.1); the Noto names are what a Linux host has of the kind.
const fonts = {
  fontFamilyBase:
    '"Yu Gothic UI", "BIZ UDPGothic", Meiryo, "Noto Sans CJK JP", "Segoe UI", system-ui, sans-serif',
  fontFamilyMonospace: 'Consolas, "BIZ UDGothic", "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace',
  fontFamilyNumeric:
    '"Yu Gothic UI", "BIZ UDPGothic", Meiryo, "Noto Sans CJK JP", "Segoe UI", system-ui, sans-serif',
} as const;

const quiet = { borderRadiusMedium: "4px", lineHeightBase300: "22px", lineHeightBase200: "18px" } as const;

export const lightTheme: Theme = {
  ...createLightTheme(ink),
  ...fonts,
  ...quiet,
  colorNeutralBackground2: "#f5f7f8",
  colorNeutralBackground3: "#eceff1",
  colorNeutralStroke2: "#dfe3e6",
  colorNeutralForeground3: "#525c64",
  colorNeutralForeground2: "#3b444b",
};

const darkTheme: Theme = {
  ...createDarkTheme(ink),
  ...fonts,
  ...quiet,
  colorNeutralBackground1: "#1b2126",
  colorNeutralBackground1Hover: "#242b31",
  colorNeutralBackground1Pressed: "#171c20",
  colorNeutralBackground2: "#14191d",
  colorNeutralBackground3: "#222930",
  colorNeutralStroke1: "#56616b",
  colorNeutralStroke2: "#323b43",
  colorNeutralForeground3: "#a3afb9",
  colorNeutralForeground2: "#c9d1d8",
  colorBrandForegroundLink: ink[120],
  colorBrandForegroundLinkHover: ink[130],
};

const contrastTheme: Theme = { ...teamsHighContrastTheme, ...fonts, ...quiet };

export type ThemeName = "light" | "dark" | "contrast";

export const themes: Readonly<Record<ThemeName, Theme>> = {
  light: lightTheme,
  dark: darkTheme,
  contrast: contrastTheme,
};
