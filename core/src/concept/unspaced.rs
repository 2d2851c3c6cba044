//! Scripts without spaces: runs between function characters, and between scripts.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::line::{overlaps, push};
use super::{Concept, ConceptKind, term, verb};
use crate::text::{self, Script};

/// Chinese characters that are function words, verbs or adverbs when they stand alone.
const BREAKS: &str = "的了是在和与或也都就把被给对从到用我你您他她它们这那哪什么怎吗呢吧啊呀不没有很要会能可请让还再又跟为以及但而且所如果因上下里外中前后个些着过去来做说看想知道叫太最更已正将其之则改";

/// Words that hold such a character and name something all the same.
const COMPOUNDS: &str = "会议 会话 会员 机会 社会 用户 应用 费用 信用 用例 功能 性能 能力 智能 能源 请求 申请 邀请 对象 对话 通知 知识 \
    规则 原则 更新 变更 下载 上传 上海 楼上 楼下 地下 线上 前端 后端 后台 前台 后缀 外部 国外 中心 中间 中文 中国 集中 里程 \
    说明 小说 结果 效果 苹果 水果 目的 过程 来源 想法 道路 隧道 管道 通道 频道 渠道 味道 个人 太阳 看板 其他 \
    要求 摘要 概要 因素 原因 把手 作用 引用 调用 过滤 去重 改进 上限 下限 上下 \
    前缀 中断 对账 还款 还原 不锈";

/// The runs of a line as phrases.
pub(super) fn read(line: &str, at: usize, taken: &[(usize, usize)], found: &mut Vec<Concept>) {
    if line.is_ascii() {
        return;
    }
    let mut run: Option<(usize, usize)> = None;
    let mut flush = |run: &mut Option<(usize, usize)>| {
        let Some((from, to)) = run.take() else { return };
        let from = from + verb_length(line.get(from..to).unwrap_or_default());
        let long = line.get(from..to).is_some_and(|s| (2..=12).contains(&s.chars().count()));
        if long && !overlaps(taken, from, to) {
            push(ConceptKind::Term, line, from, to, at, found);
        }
    };
    let mut inside = 0;
    for (index, c) in line.char_indices() {
        let end = index + c.len_utf8();
        if index < inside {
            continue;
        }
        let content = match text::script(c) {
            Script::Han => {
                let pair = line.get(end..).and_then(|s| s.chars().next()).map_or(end, |next| end + next.len_utf8());
                let two = line.get(index..pair).unwrap_or_default();
                let compound = compounds().contains(two);
                // A function word of two characters ends the run, a compound is one piece of it.
                let function = !compound && run.is_some() && term::is_light(two);
                inside = if compound || function { pair } else { end };
                compound || !function && !BREAKS.contains(c)
            }
            Script::Katakana | Script::Unspaced => true,
            _ => false,
        };
        if content {
            run = Some((run.map_or(index, |(from, _)| from), inside.max(end)));
        } else {
            flush(&mut run);
        }
    }
    flush(&mut run);
}

/// The bytes of the verb that a run begins with: "部署订单服务" is about "订单服务". In "部署脚本" it
/// says what sort of script it is, so at least three characters follow.
fn verb_length(run: &str) -> usize {
    let length = run.char_indices().nth(2).map_or(run.len(), |(at, _)| at);
    let (verb, rest) = run.split_at_checked(length).unwrap_or((run, ""));
    let follows = rest.chars().count();
    if term::is_light(verb) && (follows > 2 || follows == 0) { length } else { 0 }
}

fn compounds() -> &'static HashSet<&'static str> {
    static TABLE: OnceLock<HashSet<&'static str>> = OnceLock::new();
    TABLE.get_or_init(|| verb::set(COMPOUNDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let mut found = Vec::new();
        read(line, 0, &[], &mut found);
        assert_eq!(found.iter().map(|c| c.surface.as_str()).collect::<Vec<_>>(), expected, "{line}");
    }

    #[test]
    fn runs_end_at_function_words_and_compounds_hold_together() {
        check("我们的数据库连接池太小了", &["数据库连接池"]);
        check("厨房的水龙头一直在漏水。", &["厨房", "水龙头", "漏水"]);
        check("在二号会议室", &["二号会议室"]);
        check("我们用Kubernetes部署订单服务，部署脚本在这里。", &["订单服务", "部署脚本"]);
        check("冷蔵庫のフィルターを交換してください。", &["冷蔵庫", "フィルター", "交換"]);
    }
}
