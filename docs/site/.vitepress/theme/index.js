import DefaultTheme from "vitepress/theme-without-fonts";
import { weightOf } from "../../ranking.js";
import "./site.css";

export default {
  ...DefaultTheme,
  enhanceApp(context) {
    DefaultTheme.enhanceApp(context);
    rankPages(context.siteData);
  },
};

/**
 * Sets the ranking of the search. In the configuration, VitePress would send this
 * function as text and evaluate it, which the content security policy forbids.
 */
function rankPages(siteData) {
  const { base } = siteData.value;
  const boostDocument = (id, term) => weightOf(id.slice(base.length), term);
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
