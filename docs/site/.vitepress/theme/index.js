import DefaultTheme from "vitepress/theme-without-fonts";
import "./site.css";

export default {
  ...DefaultTheme,
  enhanceApp(context) {
    DefaultTheme.enhanceApp(context);
    rankGuidesFirst(context.siteData);
  },
};

/**
 * Ranks guides above the many short pages that contain the same words. In the
 * configuration, VitePress would send this function as text and evaluate it,
 * which the content security policy forbids.
 */
function rankGuidesFirst(siteData) {
  const boostDocument = (id) =>
    /\/(?:diagnostics|decisions|test)\//u.test(id) ? 0.2 : 1;
  const { themeConfig, ...site } = siteData.value;
  const { search } = themeConfig;
  const options = {
    ...search.options,
    miniSearch: { searchOptions: { boostDocument } },
  };
  siteData.value = {
    ...site,
    themeConfig: { ...themeConfig, search: { ...search, options } },
  };
}
